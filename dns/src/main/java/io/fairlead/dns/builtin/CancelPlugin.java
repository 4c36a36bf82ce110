package io.fairlead.dns.builtin;

import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Runs the rest of the chain beside itself and interrupts it when the time is over.
final class CancelPlugin implements ChainPlugin {
  record Options(Duration timeout) {}

  private final Options options;

  CancelPlugin(Options options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "cancel";
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
  public DnsAnswer handle(Query query, Handler next) {
    Duration timeout = options.timeout();
    CompletableFuture<DnsAnswer> result = new CompletableFuture<>();
    Thread worker =
        Tasks.start(
            "dns-query-cancellable",
            () -> {
              try {
                result.complete(next.handle(query));
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    try {
      return result.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      worker.interrupt();
      return Reply.failed(
          "cancel", Rcode.SERVFAIL, "no answer within " + timeout.toMillis() + "ms");
    } catch (InterruptedException e) {
      worker.interrupt();
      Thread.currentThread().interrupt();
      return Reply.failed("cancel", Rcode.SERVFAIL, "interrupted");
    } catch (ExecutionException e) {
      throw new IllegalStateException("a plugin failed", e.getCause());
    }
  }
}
