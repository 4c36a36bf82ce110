package io.fairlead.dns.log;

import io.fairlead.dns.output.Lines;
import io.fairlead.dns.plugin.Answer;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.MetadataSource;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.Shared;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tells of each query once it is answered. The first rule that names it decides.
final class Log implements ChainPlugin {
  private final List<LogRule> rules;
  private final InstanceContext instance;
  private final Shared.Taken<Lines> lines;

  Log(List<LogRule> rules, InstanceContext instance) {
    this.rules = List.copyOf(rules);
    this.instance = instance;
    this.lines = Lines.take(instance);
  }

  @Override
  public String name() {
    return "log";
  }

  @Override
  public Answer handle(Query query, Handler next) {
    LogRule rule = rule(query);
    if (rule == null) {
      return next.handle(query);
    }
    long start = instance.ticker().nanos();
    Answer answer = next.handle(query);
    if (answer instanceof Reply reply) {
      long took = instance.ticker().nanos() - start;
      boolean slow = rule.slow() != null && took >= rule.slow().toNanos();
      if (slow || rule.classes().contains(ReplyClass.of(reply))) {
        LineFormat.Facts facts = new LineFormat.Facts(query, reply, took, metadata(rule, query));
        lines.get().write("[INFO] " + rule.format().line(facts));
      }
    }
    return answer;
  }

  private @Nullable LogRule rule(Query query) {
    for (LogRule rule : rules) {
      if (rule.names().contain(query.name())) {
        return rule;
      }
    }
    return null;
  }

  private Map<String, String> metadata(LogRule rule, Query query) {
    if (!rule.format().usesMetadata()) {
      return Map.of();
    }
    Map<String, String> facts = new HashMap<>();
    for (Plugin plugin : instance.plugins()) {
      if (plugin instanceof MetadataSource source) {
        facts.putAll(source.metadata(query));
      }
    }
    return facts;
  }

  @Override
  public void stop() {
    lines.close();
  }
}
