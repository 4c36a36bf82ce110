package io.fairlead.dns.loadbalance;

import io.fairlead.api.net.Cidr;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.RootPath;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reads the line of `loadbalance`.
public final class LoadbalanceFactory implements PluginFactory {
  private static final String USAGE = "loadbalance [round_robin | weighted FILE]";

  @Override
  public String name() {
    return "loadbalance";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    List<String> words = new ArrayList<>(line.arguments());
    List<Cidr> preferred = new ArrayList<>();
    int prefer = words.indexOf("prefer");
    if (prefer >= 0) {
      ranges(line, words.subList(prefer + 1, words.size()), preferred);
      words = words.subList(0, prefer);
    }
    Path file = null;
    switch (words.isEmpty() ? "round_robin" : words.getFirst()) {
      case "round_robin" -> DirectiveReader.count(line, 0, words.size(), USAGE);
      case "weighted" -> {
        if (words.size() != 2) {
          throw line.problem("weighted needs one file; usage: " + USAGE);
        }
        file = RootPath.resolve(context.block(), words.get(1));
      }
      default ->
          throw line.problem(
              "unknown policy '" + words.getFirst() + "'; there are round_robin and weighted");
    }
    int limit = 0;
    Duration reload = Duration.ofSeconds(30);
    for (Directive option : line.block()) {
      switch (option.name()) {
        case "prefer" -> ranges(option, option.arguments(), preferred);
        case "limit_answers" -> {
          DirectiveReader.count(option, 1, 1, "limit_answers COUNT");
          limit =
              DirectiveReader.integer(option, option.arguments().getFirst(), 1, Integer.MAX_VALUE);
        }
        case "reload" -> {
          DirectiveReader.count(option, 1, 1, "reload DURATION");
          reload = DirectiveReader.duration(option, option.arguments().getFirst());
        }
        default -> throw DirectiveReader.unknown(line, option, "prefer", "limit_answers", "reload");
      }
    }
    try {
      return new LoadbalancePlugin(
          new LoadbalancePlugin.Options(file, reload, preferred, limit), context.instance());
    } catch (IOException e) {
      throw line.problem("loadbalance: cannot use " + file + ": " + e.getMessage());
    }
  }

  private static void ranges(Directive line, List<String> words, List<Cidr> ranges)
      throws SetupException {
    if (words.isEmpty()) {
      throw line.problem("prefer needs at least one range such as 10.0.0.0/8");
    }
    for (String word : words) {
      Cidr range = Cidr.parseLenientOrNull(word);
      if (range == null) {
        throw line.problem("'" + word + "' is no range of addresses such as 10.0.0.0/8");
      }
      ranges.add(range.masked());
    }
  }
}
