package io.fairlead.insight.gather;

import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Asks many questions at once, each on a thread of its own, and waits for none longer than all may
/// take together. What has not been answered by then is not seen.
///
/// Owned by the thread that made it.
final class Questions implements AutoCloseable {
  private final ExecutorService threads = Tasks.perTask("insight");
  private final Ticker ticker;
  private final long end;
  private final Duration limit;

  Questions(Ticker ticker, Duration limit) {
    this.ticker = ticker;
    this.limit = limit;
    this.end = ticker.nanos() + limit.toNanos();
  }

  /// A question that is under way.
  final class Pending<T> {
    private final Future<Evidence<T>> answer;

    private Pending(Future<Evidence<T>> answer) {
      this.answer = answer;
    }

    /// Its answer, when it comes in time.
    Evidence<T> await() {
      try {
        return answer.get(Math.max(0, end - ticker.nanos()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException _) {
        answer.cancel(true);
        return Unseen.of(new Why.NoAnswer("not within " + limit.toMillis() + " ms"));
      } catch (ExecutionException e) {
        return Unseen.of(new Why.NoAnswer(String.valueOf(e.getCause())));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return Unseen.of(new Why.NoAnswer("interrupted"));
      }
    }
  }

  <T> Pending<T> ask(Supplier<Evidence<T>> question) {
    return new Pending<>(threads.submit(question::get));
  }

  /// Gives up what is still under way.
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
