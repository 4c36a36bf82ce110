package io.fairlead.dns.errors;

import io.fairlead.api.schema.Durations;
import io.fairlead.dns.log.AsyncLineWriter;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.work.Tasks;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Prints replies that carry a reason for their failure.
final class ErrorsPlugin implements ChainPlugin {
  /// @param stacktrace whether a plugin that throws is reported with its stack
  record Options(List<Consolidation> consolidations, boolean stacktrace) {
    Options {
      consolidations = List.copyOf(consolidations);
    }
  }

  /// A rule and the errors of the current period.
  private record Counted(Consolidation rule, AtomicInteger count) {}

  private final Options options;
  private final List<Counted> rules;
  private final InstanceContext instance;
  private final SharedResources.Handle<AsyncLineWriter> lines;
  private volatile boolean stopped;

  ErrorsPlugin(Options options, InstanceContext instance) {
    this.options = options;
    this.rules =
        options.consolidations().stream()
            .map(rule -> new Counted(rule, new AtomicInteger()))
            .toList();
    this.instance = instance;
    this.lines = AsyncLineWriter.take(instance);
  }

  @Override
  public String name() {
    return "errors";
  }

  @Override
  public List<? extends Record> options() {
    return List.of(options);
  }

  @Override
  public boolean passesOwnData(Name zone) {
    return true;
  }

  @Override
  public boolean treatsClientsAlike() {
    return true;
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    try {
      DnsAnswer answer = next.handle(query);
      if (answer instanceof Reply reply && reply.failure() != null) {
        report(query, reply.rcode(), reply.failure());
      }
      return answer;
    } catch (RuntimeException e) {
      report(query, Rcode.SERVFAIL, options.stacktrace() ? trace(e) : "a plugin failed: " + e);
      throw e;
    }
  }

  private static String trace(RuntimeException e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString().strip();
  }

  private void report(Query query, int rcode, String failure) {
    String line =
        Rcode.name(rcode)
            + " "
            + query.name()
            + " "
            + RecordType.name(query.type())
            + ": "
            + failure;
    for (Counted each : rules) {
      if (each.rule().pattern().matcher(failure).find()) {
        count(each, line);
        return;
      }
    }
    print("ERROR", line);
  }

  private void count(Counted each, String line) {
    if (each.count().getAndIncrement() > 0) {
      return;
    }
    Consolidation rule = each.rule();
    if (rule.showFirst()) {
      print(rule.level(), line);
    }
    Tasks.start("dns-errors-consolidate", () -> reportLater(each));
  }

  private void reportLater(Counted each) throws InterruptedException {
    Consolidation rule = each.rule();
    instance.pacer().pause(rule.period());
    int count = each.count().getAndSet(0);
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
