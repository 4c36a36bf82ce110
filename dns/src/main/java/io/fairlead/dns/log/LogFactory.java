package io.fairlead.dns.log;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Reads the lines of `log`.
public final class LogFactory implements PluginFactory {
  @Override
  public String name() {
    return "log";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    List<LogRule> rules = new ArrayList<>();
    for (Directive line : lines) {
      rules.add(rule(line));
    }
    return new LogPlugin(rules, context.instance());
  }

  private static LogRule rule(Directive line) throws SetupException {
    List<String> names = line.arguments();
    String format = LineFormat.COMMON;
    if (!names.isEmpty() && names.getLast().indexOf('{') >= 0) {
      format = names.getLast();
      names = names.subList(0, names.size() - 1);
    }
    DnsZones zones = names.isEmpty() ? DnsZones.ALL : DirectiveReader.zones(line, names);
    Set<ReplyClass> classes = EnumSet.noneOf(ReplyClass.class);
    Duration slow = null;
    for (Directive option : line.block()) {
      switch (option.name()) {
        case "class" -> {
          DirectiveReader.count(option, 1, 100, "class success|denial|error|all...");
          for (String text : option.arguments()) {
            classes.addAll(classes(option, text));
          }
        }
        case "minDuration" -> {
          DirectiveReader.count(option, 1, 1, "minDuration DURATION");
          slow = DirectiveReader.duration(option, option.arguments().getFirst());
        }
        default -> throw DirectiveReader.unknown(line, option, "class", "minDuration");
      }
    }
    boolean all = classes.isEmpty() && slow == null;
    Set<ReplyClass> wanted = all ? EnumSet.allOf(ReplyClass.class) : classes;
    return new LogRule(zones, LineFormat.of(format), wanted, slow);
  }

  private static Set<ReplyClass> classes(Directive option, String text) throws SetupException {
    return switch (text) {
      case "success" -> EnumSet.of(ReplyClass.SUCCESS);
      case "denial" -> EnumSet.of(ReplyClass.DENIAL);
      case "error" -> EnumSet.of(ReplyClass.ERROR);
      case "all" -> EnumSet.allOf(ReplyClass.class);
      default ->
          throw option.problem(
              "'" + text + "' is no class; there are success, denial, error and all");
    };
  }
}
