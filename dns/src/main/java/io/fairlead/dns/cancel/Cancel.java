package io.fairlead.dns.cancel;

import io.fairlead.dns.plugin.Answer;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Runs the rest of the chain beside itself and interrupts it when the time is over.
final class Cancel implements ChainPlugin {
  private final Duration timeout;

  Cancel(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public String name() {
    return "cancel";
  }

  @Override
  public boolean passesOwnData(Name zone) {
    return true;
  }

  @Override
  public Answer handle(Query query, Handler next) {
    CompletableFuture<Answer> result = new CompletableFuture<>();
    Thread worker =
        Thread.ofVirtual()
            .name("dns-query-cancellable")
            .start(
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
