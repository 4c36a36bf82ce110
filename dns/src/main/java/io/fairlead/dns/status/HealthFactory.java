package io.fairlead.dns.status;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.time.Duration;
import java.util.List;

/// Reads the line of `health`.
public final class HealthFactory implements PluginFactory {
  @Override
  public String name() {
    return "health";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 0, 1, "health [ADDRESS]");
    ListenAddress address =
        ListenAddress.read(
            line, line.arguments().isEmpty() ? ":8080" : line.arguments().getFirst());
    Duration lameduck = Duration.ZERO;
    for (Directive option : line.block()) {
      if (!option.name().equals("lameduck")) {
        throw DirectiveReader.unknown(line, option, "lameduck");
      }
      DirectiveReader.count(option, 1, 1, "lameduck DURATION");
      lameduck = DirectiveReader.duration(option, option.arguments().getFirst());
    }
    return new HealthPlugin(new HealthPlugin.Options(address, lameduck), context.instance());
  }
}
