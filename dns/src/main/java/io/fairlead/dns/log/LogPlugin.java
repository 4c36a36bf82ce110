package io.fairlead.dns.log;

import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.MetadataSource;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SharedResources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Prints a line for each query once it is answered. The first rule that names it decides.
final class LogPlugin implements ChainPlugin {
  private final List<LogRule> rules;
  private final InstanceContext instance;
  private final SharedResources.Handle<AsyncLineWriter> lines;

  LogPlugin(List<LogRule> rules, InstanceContext instance) {
    this.rules = List.copyOf(rules);
    this.instance = instance;
    this.lines = AsyncLineWriter.take(instance);
  }

  @Override
  public String name() {
    return "log";
  }

  @Override
  public List<? extends Record> options() {
    return rules;
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    LogRule rule = rule(query);
    if (rule == null) {
      return next.handle(query);
    }
    long start = instance.ticker().nanos();
    DnsAnswer answer = next.handle(query);
    if (answer instanceof Reply reply) {
      long took = instance.ticker().nanos() - start;
      boolean slow = rule.slow() != null && took >= rule.slow().toNanos();
      if (slow || rule.classes().contains(ReplyClass.of(reply))) {
        LineFormat.LogFields facts =
            new LineFormat.LogFields(query, reply, took, metadata(rule, query));
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
