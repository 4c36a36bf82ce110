package io.fairlead.dns.kubernetes;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.util.List;

/// Makes the `k8s_external` plugin.
public final class K8sExternalFactory implements PluginFactory {
  private static final int TTL = 5;
  private static final int LONGEST_TTL = 3600;

  @Override
  public String name() {
    return "k8s_external";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 1, Integer.MAX_VALUE, "k8s_external ZONE...");
    DnsZones zones = DirectiveReader.zones(line, line.arguments());
    String apex = "dns";
    int ttl = TTL;
    Fallthrough fallthrough = Fallthrough.NEVER;
    for (Directive option : line.block()) {
      switch (option.name()) {
        case "apex" -> {
          DirectiveReader.count(option, 1, 1, "apex LABEL");
          apex = option.arguments().getFirst();
        }
        case "ttl" -> {
          DirectiveReader.count(option, 1, 1, "ttl SECONDS");
          ttl = DirectiveReader.integer(option, option.arguments().getFirst(), 0, LONGEST_TTL);
        }
        case "fallthrough" -> fallthrough = Fallthrough.read(option);
        default -> throw DirectiveReader.unknown(line, option, "apex", "ttl", "fallthrough");
      }
    }
    return new K8sExternalPlugin(
        new K8sExternalPlugin.Options(zones, apex, ttl, fallthrough), context);
  }
}
