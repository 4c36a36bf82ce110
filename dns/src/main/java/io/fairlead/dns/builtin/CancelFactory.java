package io.fairlead.dns.builtin;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.time.Duration;
import java.util.List;

/// Reads the line of `cancel`.
public final class CancelFactory implements PluginFactory {
  private static final Duration TIMEOUT = Duration.ofMillis(5001);

  @Override
  public String name() {
    return "cancel";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 0, 1, "cancel [TIMEOUT]");
    DirectiveReader.noBlock(line);
    Duration timeout =
        line.arguments().isEmpty()
            ? TIMEOUT
            : DirectiveReader.duration(line, line.arguments().getFirst());
    if (timeout.isZero()) {
      throw line.problem("the TIMEOUT of cancel must be more than 0");
    }
    return new CancelPlugin(new CancelPlugin.Options(timeout));
  }
}
