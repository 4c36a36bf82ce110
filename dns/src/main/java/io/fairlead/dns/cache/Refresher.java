package io.fairlead.dns.cache;

import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Fetches answers again beside the queries that noticed the need. Bounded: what does not fit is
/// left for the next query to notice.
final class Refresher {
  private static final int MOST_AT_ONCE = 256;

  private final Semaphore places = new Semaphore(MOST_AT_ONCE);

  /// Runs the work on a thread of its own; false when too much is under way.
  boolean run(Runnable work) {
    if (!places.tryAcquire()) {
      return false;
    }
    Tasks.start(
        "dns-cache-refresh",
        () -> {
          try {
            work.run();
          } finally {
            places.release();
          }
        });
    return true;
  }

  /// The result if it comes in time, else null; then the work still goes on to its end.
  ///
  /// @param time zero for as long as it takes
  @Nullable DnsAnswer within(Duration time, Supplier<DnsAnswer> work) {
    if (time.isZero()) {
      return work.get();
    }
    CompletableFuture<DnsAnswer> result = new CompletableFuture<>();
    boolean started =
        run(
            () -> {
              try {
                result.complete(work.get());
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    if (!started) {
      return null;
    }
    try {
      return result.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException("asking for a newer answer failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
