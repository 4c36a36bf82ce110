package io.fairlead.dns.settings;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.time.Duration;
import java.util.List;

/// Reads the line of `reload`.
public final class ReloadFactory implements PluginFactory {
  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final Duration JITTER = Duration.ofSeconds(15);
  private static final Duration LEAST_INTERVAL = Duration.ofSeconds(2);
  private static final Duration LEAST_JITTER = Duration.ofSeconds(1);

  @Override
  public String name() {
    return "reload";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 0, 2, "reload [INTERVAL] [JITTER] | off");
    DirectiveReader.noBlock(line);
    List<String> words = line.arguments();
    if (words.equals(List.of("off"))) {
      return () -> "reload";
    }
    Duration interval =
        words.isEmpty() ? INTERVAL : DirectiveReader.duration(line, words.getFirst());
    if (interval.compareTo(LEAST_INTERVAL) < 0) {
      throw line.problem(
          "the interval of reload must be at least " + LEAST_INTERVAL.toSeconds() + "s");
    }
    Duration half = interval.dividedBy(2);
    Duration jitter = words.size() < 2 ? JITTER : DirectiveReader.duration(line, words.get(1));
    if (jitter.compareTo(LEAST_JITTER) < 0) {
      throw line.problem("the jitter of reload must be at least " + LEAST_JITTER.toSeconds() + "s");
    }
    return new ReloadPlugin(
        new ReloadPlugin.Options(interval, jitter.compareTo(half) > 0 ? half : jitter),
        context.instance());
  }
}
