package io.fairlead.dns.forward;

import io.fairlead.work.Tasks;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Asks a second server when the first takes unusually long, and takes whichever answer comes
/// first: one lost packet or one slow server then costs milliseconds, not a whole timeout. As the
/// second is asked only after the time in which nineteen of twenty answers come, it costs little.
final class HedgedRequest {
  /// One try.
  interface Attempt<T> {
    T run() throws IOException;
  }

  private HedgedRequest() {}

  /// The first answer of the two; the failure of both when there is none.
  ///
  /// @param patience how long the first is waited for before the second begins
  /// @param second begun late or not at all
  static <T> T first(Attempt<T> first, Duration patience, Attempt<T> second) throws IOException {
    CompletableFuture<T> one = start(first, "dns-forward-first");
    try {
      return one.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      return either(one, start(second, "dns-forward-hedge"));
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted");
    }
  }

  private static <T> T either(CompletableFuture<T> one, CompletableFuture<T> other)
      throws IOException {
    CompletableFuture<T> winner = new CompletableFuture<>();
    one.thenAccept(winner::complete);
    other.thenAccept(winner::complete);
    CompletableFuture.allOf(one, other)
        .exceptionally(
            why -> {
              winner.completeExceptionally(why);
              return null;
            });
    try {
      return winner.get();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted");
    }
  }

  private static <T> CompletableFuture<T> start(Attempt<T> work, String name) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Tasks.start(
        name,
        () -> {
          try {
            result.complete(work.run());
          } catch (IOException | RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private static IOException failure(ExecutionException failure) {
    Throwable why = failure;
    while ((why instanceof ExecutionException || why instanceof CompletionException)
        && why.getCause() != null) {
      why = why.getCause();
    }
    if (why instanceof RuntimeException mistake) {
      throw mistake;
    }
    return why instanceof IOException failed ? failed : new IOException(why);
  }
}
