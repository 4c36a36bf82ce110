package io.fairlead.dns.forward;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lets equal questions that wait at the same time share one piece of work. Safe for any thread.
final class SingleFlight<K, V> {
  private final Map<K, CompletableFuture<V>> underWay = new ConcurrentHashMap<>();

  /// The result of the work, done here or by a thread that is already at it; null when that does
  /// not finish in time.
  @Nullable V run(K key, Duration time, Supplier<V> work) {
    CompletableFuture<V> mine = new CompletableFuture<>();
    CompletableFuture<V> theirs = underWay.putIfAbsent(key, mine);
    if (theirs != null) {
      return await(theirs, time);
    }
    try {
      V value = work.get();
      mine.complete(value);
      return value;
    } catch (RuntimeException e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      underWay.remove(key, mine);
    }
  }

  private static <V> @Nullable V await(CompletableFuture<V> result, Duration time) {
    try {
      return result.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the shared question failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
