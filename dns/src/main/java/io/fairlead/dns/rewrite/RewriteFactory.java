package io.fairlead.dns.rewrite;

import io.fairlead.api.names.NearestName;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Reads the lines of `rewrite`.
public final class RewriteFactory implements PluginFactory {
  private static final List<String> FIELDS =
      List.of("name", "type", "class", "ttl", "cname", "rcode", "edns0");

  @Override
  public String name() {
    return "rewrite";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    List<RewritePlugin.Step> steps = new ArrayList<>();
    RuleReader reader = new RuleReader(context.instance());
    for (Directive line : lines) {
      List<String> words = new ArrayList<>(line.arguments());
      boolean goOn = !words.isEmpty() && words.getFirst().equals("continue");
      if (goOn || (!words.isEmpty() && words.getFirst().equals("stop"))) {
        words.removeFirst();
      }
      for (List<String> rule : rules(line, words)) {
        steps.add(new RewritePlugin.Step(rule(line, reader, rule), goOn));
      }
    }
    return new RewritePlugin(steps);
  }

  /// The rules of a line: its own words, or those of its block, where lines that begin with
  /// `answer` belong to the one before.
  private static List<List<String>> rules(Directive line, List<String> words)
      throws SetupException {
    List<List<String>> rules = new ArrayList<>();
    if (!words.isEmpty()) {
      rules.add(words);
    }
    for (Directive each : line.block()) {
      List<String> all = Stream.concat(Stream.of(each.name()), each.arguments().stream()).toList();
      if (each.name().equals("answer")) {
        if (rules.isEmpty()) {
          throw each.problem("answer must follow a name rule");
        }
        rules.getLast().addAll(all);
      } else {
        rules.add(new ArrayList<>(all));
      }
    }
    if (rules.isEmpty()) {
      throw line.problem("rewrite needs a rule, such as: rewrite name FROM TO");
    }
    return rules;
  }

  private static RewriteRule rule(Directive line, RuleReader reader, List<String> words)
      throws SetupException {
    String field = words.getFirst();
    if (!FIELDS.contains(field)) {
      String hint =
          NearestName.to(field, FIELDS.stream())
              .map(name -> "; did you mean '" + name + "'?")
              .orElse("; there are " + String.join(", ", FIELDS));
      throw line.problem("rewrite knows no field '" + field + "'" + hint);
    }
    try {
      return reader.read(field, words.subList(1, words.size()));
    } catch (IllegalArgumentException e) {
      throw line.problem("rewrite " + field + ": " + e.getMessage());
    }
  }
}
