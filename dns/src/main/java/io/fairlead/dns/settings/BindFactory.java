package io.fairlead.dns.settings;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Reads the lines of `bind`.
public final class BindFactory implements PluginFactory {
  @Override
  public String name() {
    return "bind";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Set<String> addresses = new LinkedHashSet<>();
    for (Directive line : lines) {
      DirectiveReader.count(line, 1, 1000, "bind ADDRESS|INTERFACE...");
      for (String word : line.arguments()) {
        addresses.addAll(addresses(line, word));
      }
      for (Directive option : line.block()) {
        if (!option.name().equals("except")) {
          throw DirectiveReader.unknown(line, option, "except");
        }
        DirectiveReader.count(option, 1, 1000, "except ADDRESS|INTERFACE...");
        for (String word : option.arguments()) {
          addresses.removeAll(addresses(option, word));
        }
      }
    }
    if (addresses.isEmpty()) {
      throw lines.getFirst().problem("bind leaves no address to listen on");
    }
    context.settings(context.settings().withBind(new ArrayList<>(addresses)));
    return () -> "bind";
  }

  private static List<String> addresses(Directive line, String word) throws SetupException {
    IpAddress address = IpAddress.parseOrNull(word);
    if (address != null) {
      return List.of(address.toString());
    }
    try {
      NetworkInterface device = NetworkInterface.getByName(word);
      if (device == null) {
        throw line.problem("'" + word + "' is neither an IP address nor a network interface here");
      }
      List<String> found = new ArrayList<>();
      for (InetAddress each : Collections.list(device.getInetAddresses())) {
        if (!each.isLinkLocalAddress()) {
          found.add(IpAddress.ofBytes(each.getAddress()).toString());
        }
      }
      return found;
    } catch (SocketException e) {
      throw line.problem("cannot read the addresses of " + word + ": " + e.getMessage());
    }
  }
}
