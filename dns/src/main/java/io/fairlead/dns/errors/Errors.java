package io.fairlead.dns.errors;

import io.fairlead.api.schema.Durations;
import io.fairlead.dns.output.Lines;
import io.fairlead.dns.plugin.Answer;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.Shared;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/// Tells of replies that carry a reason for their failure.
final class Errors implements ChainPlugin {
  private final List<Consolidation> rules;
  private final boolean stacktrace;
  private final InstanceContext instance;
  private final Shared.Taken<Lines> lines;
  private volatile boolean stopped;

  Errors(List<Consolidation> rules, boolean stacktrace, InstanceContext instance) {
    this.rules = List.copyOf(rules);
    this.stacktrace = stacktrace;
    this.instance = instance;
    this.lines = Lines.take(instance);
  }

  @Override
  public String name() {
    return "errors";
  }

  @Override
  public boolean passesOwnData(Name zone) {
    return true;
  }

  @Override
  public Answer handle(Query query, Handler next) {
    try {
      Answer answer = next.handle(query);
      if (answer instanceof Reply reply && reply.failure() != null) {
        tell(query, reply.rcode(), reply.failure());
      }
      return answer;
    } catch (RuntimeException e) {
      tell(query, Rcode.SERVFAIL, stacktrace ? trace(e) : "a plugin failed: " + e);
      throw e;
    }
  }

  private static String trace(RuntimeException e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString().strip();
  }

  private void tell(Query query, int rcode, String failure) {
    String line =
        Rcode.name(rcode)
            + " "
            + query.name()
            + " "
            + RecordType.name(query.type())
            + ": "
            + failure;
    for (Consolidation rule : rules) {
      if (rule.pattern().matcher(failure).find()) {
        count(rule, line);
        return;
      }
    }
    print("ERROR", line);
  }

  private void count(Consolidation rule, String line) {
    if (rule.count().getAndIncrement() > 0) {
      return;
    }
    if (rule.showFirst()) {
      print(rule.level(), line);
    }
    Thread.ofVirtual().name("dns-errors-consolidate").start(() -> tellLater(rule));
  }

  private void tellLater(Consolidation rule) {
    try {
      instance.pacer().pause(rule.period());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    int count = rule.count().getAndSet(0);
    boolean alreadyShown = rule.showFirst() && count == 1;
    if (!stopped && !alreadyShown) {
      print(
          rule.level(),
          count
              + " errors like '"
              + rule.pattern().pattern()
              + "' occurred in last "
              + Durations.text(rule.period().toNanos()));
    }
  }

  private void print(String level, String line) {
    lines.get().write("[" + level + "] plugin/errors: " + line);
  }

  @Override
  public void stop() {
    stopped = true;
    lines.close();
  }
}
