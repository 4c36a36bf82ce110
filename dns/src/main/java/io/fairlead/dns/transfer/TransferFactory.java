package io.fairlead.dns.transfer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/// Reads the lines of `transfer`.
public final class TransferFactory implements PluginFactory {
  private static final int DNS_PORT = 53;
  private static final int MOST_PORT = 65535;

  @Override
  public String name() {
    return "transfer";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    List<TransferPermission> permissions = new ArrayList<>();
    for (Directive line : lines) {
      DnsZones zones = DirectiveReader.zones(line, line.arguments(), context.block());
      boolean anybody = false;
      List<InetSocketAddress> servers = new ArrayList<>();
      for (Directive option : line.block()) {
        if (!option.name().equals("to")) {
          throw DirectiveReader.unknown(line, option, "to");
        }
        DirectiveReader.count(option, 1, 1000, "to ADDRESS|*...");
        for (String word : option.arguments()) {
          if (word.equals("*")) {
            anybody = true;
          } else {
            servers.add(address(option, word));
          }
        }
      }
      if (!anybody && servers.isEmpty()) {
        throw line.problem("transfer needs at least one 'to ADDRESS' or 'to *'");
      }
      permissions.add(new TransferPermission(zones, anybody, servers));
    }
    return new TransferPlugin(permissions, context, new Notifier());
  }

  private static InetSocketAddress address(Directive option, String word) throws SetupException {
    IpAddress bare = IpAddress.parseOrNull(word);
    int port = DNS_PORT;
    if (bare == null) {
      int colon = word.lastIndexOf(':');
      String host = colon < 0 ? word : word.substring(0, colon);
      bare = IpAddress.parseOrNull(host.replace("[", "").replace("]", ""));
      if (bare == null) {
        throw option.problem("'" + word + "' is neither an IP address nor *");
      }
      port = DirectiveReader.integer(option, word.substring(colon + 1), 1, MOST_PORT);
    }
    try {
      return new InetSocketAddress(InetAddress.getByAddress(bare.toBytes()), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
