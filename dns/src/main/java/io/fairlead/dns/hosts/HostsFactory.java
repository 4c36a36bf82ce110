package io.fairlead.dns.hosts;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.corefile.RootPath;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Reads the line of `hosts`.
public final class HostsFactory implements PluginFactory {
  private static final int TTL = 3600;
  private static final int MOST_TTL = Integer.MAX_VALUE / 2;

  @Override
  public String name() {
    return "hosts";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    List<String> words = line.arguments();
    Path file =
        RootPath.resolve(context.block(), words.isEmpty() ? "/etc/hosts" : words.getFirst());
    List<String> zoneWords = words.size() > 1 ? words.subList(1, words.size()) : List.of();
    DnsZones zones = DirectiveReader.zones(line, zoneWords, context.block());
    StringBuilder inline = new StringBuilder();
    int ttl = TTL;
    boolean reverse = true;
    Duration reload = Duration.ofSeconds(5);
    Fallthrough fallthrough = Fallthrough.NEVER;
    for (Directive option : line.block()) {
      switch (option.name()) {
        case "fallthrough" -> fallthrough = Fallthrough.read(option);
        case "no_reverse" -> {
          DirectiveReader.bare(option);
          reverse = false;
        }
        case "ttl" -> {
          DirectiveReader.count(option, 1, 1, "ttl SECONDS");
          ttl = DirectiveReader.integer(option, option.arguments().getFirst(), 1, MOST_TTL);
        }
        case "reload" -> {
          DirectiveReader.count(option, 1, 1, "reload DURATION");
          reload = DirectiveReader.duration(option, option.arguments().getFirst());
        }
        default -> {
          if (IpAddress.parseOrNull(option.name()) == null) {
            throw DirectiveReader.unknown(
                line, option, "fallthrough", "no_reverse", "ttl", "reload", "ADDRESS NAME...");
          }
          inline
              .append(option.name())
              .append(' ')
              .append(String.join(" ", option.arguments()))
              .append('\n');
        }
      }
    }
    HostsPlugin.Options options =
        new HostsPlugin.Options(file, zones, inline.toString(), ttl, reverse, reload, fallthrough);
    return new HostsPlugin(options, context.instance());
  }
}
