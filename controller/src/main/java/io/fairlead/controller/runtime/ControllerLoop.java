package io.fairlead.controller.runtime;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.SupervisedLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workers of one controller: take a key, reconcile it, give it back.
///
/// No key is reconciled before every informer the controller reads has its first state: in a
/// half-full copy, an object not yet seen looks deleted. Each worker is a loop owned by this
/// object.
public final class ControllerLoop<K> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControllerLoop.class);

  private final String name;
  private final WorkQueue<K> queue;
  private final Reconciler<K> reconciler;
  private final List<Informer<?>> needs;
  private final int attempts;
  private final List<SupervisedLoop> workers = new ArrayList<>();
  private final LongAdder runs = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder nanosAtWork = new LongAdder();

  public ControllerLoop(
      String name, WorkQueue<K> queue, Reconciler<K> reconciler, List<Informer<?>> needs) {
    this(name, queue, reconciler, needs, Integer.MAX_VALUE);
  }

  /// @param attempts after so many failures in a row a key is left alone until its next event
  public ControllerLoop(
      String name,
      WorkQueue<K> queue,
      Reconciler<K> reconciler,
      List<Informer<?>> needs,
      int attempts) {
    this.name = name;
    this.attempts = attempts;
    this.queue = queue;
    this.reconciler = reconciler;
    this.needs = List.copyOf(needs);
  }

  /// Starts so many workers. Once only.
  public void start(int count) {
    for (int i = 0; i < count; i++) {
      workers.add(SupervisedLoop.of("controller-worker").key(name + "-" + i).start(this::work));
    }
  }

  /// Works on what is due now, on the calling thread, for tests that own the time; they start no
  /// worker. Returns how many keys were worked on.
  public int runDue() {
    int worked = 0;
    for (Optional<K> key = queue.poll(); key.isPresent(); key = queue.poll()) {
      run(key.get());
      worked++;
    }
    return worked;
  }

  /// What the workers have done since they were started.
  ///
  /// @param depth how many keys wait now
  /// @param failures runs that ended in an error
  /// @param heldBack how often a key was queued again so quickly that it had to rest
  public record Statistics(
      String name, int depth, long runs, long failures, double seconds, long heldBack) {}

  /// Nothing waits and nothing is worked on; keys due later do not count.
  public boolean idle() {
    return queue.idle();
  }

  public Statistics statistics() {
    return new Statistics(
        name, queue.size(), runs.sum(), failures.sum(), nanosAtWork.sum() / 1e9, queue.heldBack());
  }

  /// Ends the workers and waits for them. Idempotent.
  @Override
  public void close() {
    workers.forEach(SupervisedLoop::finish);
    queue.close();
    workers.forEach(SupervisedLoop::close);
  }

  private void work() throws InterruptedException {
    for (Informer<?> informer : needs) {
      informer.awaitSync();
    }
    // Empty when the queue is closed, which ends the workers.
    queue.take().ifPresent(this::run);
  }

  private void run(K key) {
    long began = System.nanoTime();
    try {
      switch (reconciler.reconcile(key)) {
        case Reconciler.Result.Done() -> queue.forget(key);
        case Reconciler.Result.Again(var wait) -> {
          queue.forget(key);
          queue.addAfter(key, wait);
        }
        case Reconciler.Result.Waiting() -> queue.retry(key);
      }
    } catch (ApiException | ConnectionException e) {
      log.atInfo()
          .addKeyValue("controller", name)
          .addKeyValue("key", key)
          .addKeyValue("why", e.getMessage())
          .log(failed(key));
    } catch (RuntimeException | Error e) {
      // Not left to the worker's loop: the failure is of this key, which comes back later.
      log.atError()
          .addKeyValue("controller", name)
          .addKeyValue("key", key)
          .setCause(e)
          .log(failed(key));
    } finally {
      // Counted first: a caller that sees the queue idle sees this run.
      runs.increment();
      nanosAtWork.add(System.nanoTime() - began);
      queue.done(key);
    }
  }

  /// Has a failed key come back, or drops it until its next event. Returns the line for the log.
  private String failed(K key) {
    failures.increment();
    if (queue.failures(key) < attempts) {
      queue.retry(key);
      return "sync failed, retrying";
    }
    queue.forget(key);
    return "sync failed too often, waiting for the next event";
  }
}
