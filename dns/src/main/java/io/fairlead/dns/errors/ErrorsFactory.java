package io.fairlead.dns.errors;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Reads the line of `errors`.
public final class ErrorsFactory implements PluginFactory {
  private static final String USAGE = "consolidate DURATION REGEXP [LEVEL] [show_first]";
  private static final Set<String> LEVELS = Set.of("warning", "error", "info", "debug");

  @Override
  public String name() {
    return "errors";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    boolean stdout = line.arguments().equals(List.of("stdout"));
    DirectiveReader.count(line, 0, stdout ? 1 : 0, "errors");
    List<Consolidation> rules = new ArrayList<>();
    boolean stacktrace = false;
    for (Directive option : line.block()) {
      switch (option.name()) {
        case "consolidate" -> rules.add(consolidation(option));
        case "stacktrace", "panicRecoveryStacktrace" -> {
          DirectiveReader.bare(option);
          stacktrace = true;
        }
        default -> throw DirectiveReader.unknown(line, option, "consolidate", "stacktrace");
      }
    }
    return new ErrorsPlugin(new ErrorsPlugin.Options(rules, stacktrace), context.instance());
  }

  private static Consolidation consolidation(Directive option) throws SetupException {
    DirectiveReader.count(option, 2, 4, USAGE);
    List<String> words = option.arguments();
    Duration period = DirectiveReader.duration(option, words.getFirst());
    if (period.isZero()) {
      throw option.problem("the DURATION of consolidate must be more than 0");
    }
    Pattern pattern;
    try {
      pattern = Pattern.compile(words.get(1));
    } catch (PatternSyntaxException e) {
      throw option.problem("'" + words.get(1) + "' is no regular expression: " + e.getMessage());
    }
    String level = "error";
    boolean showFirst = false;
    for (String word : words.subList(2, words.size())) {
      if (word.equals("show_first")) {
        showFirst = true;
      } else if (LEVELS.contains(word)) {
        level = word;
      } else {
        throw option.problem(
            "'" + word + "' is no level; there are warning, error, info and debug");
      }
    }
    return new Consolidation(period, pattern, level.toUpperCase(Locale.ROOT), showFirst);
  }
}
