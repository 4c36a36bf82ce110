package io.fairlead.work;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Work that goes on until it is closed, on a thread of its own. The only way to have such a
/// thread.
///
/// How it works: the loop calls its step again and again. A step that throws, whatever it throws,
/// does not end the loop: the failure is logged with the loop's key (once, not at every attempt,
/// while the same failure repeats), counted ([LoopRegistry]), and the step is tried again after a
/// wait that doubles up to a limit; one good step resets it. [#close] lets the running step end: it
/// interrupts it, or calls what [Builder#stopBy] gives, and waits a bounded time.
///
/// Which thread: steps run only on the loop's own; every other method may be called from anywhere.
public final class SupervisedLoop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SupervisedLoop.class);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  private final Builder settings;
  private final Work step;
  private final LoopRegistry.Kind kind;
  private final Thread thread;
  // Permits: one when the pause before the next step shall end early.
  private final Semaphore wake = new Semaphore(0);
  private final AtomicReference<@Nullable RuntimeException> injected = new AtomicReference<>();
  private volatile boolean closing;
  private volatile @Nullable Instant failingSince;
  // Owned by the loop's thread.
  private int failures;
  private @Nullable String lastLogged;

  private SupervisedLoop(Builder settings, Work step) {
    this.settings = settings;
    this.step = step;
    this.kind = LoopRegistry.kind(settings.kind);
    String name = settings.key.isEmpty() ? settings.kind : settings.kind + " " + settings.key;
    this.thread =
        settings.platform
            ? Thread.ofPlatform().daemon().name(name).unstarted(this::run)
            : Thread.ofVirtual().name(name).unstarted(this::run);
  }

  /// A loop that is still to be described.
  ///
  /// @param kind what such loops do, the same for all of them: it names their metrics
  public static Builder of(String kind) {
    return new Builder(kind);
  }

  /// How a loop is run. Only the kind is needed.
  public static final class Builder {
    private final String kind;
    private String key = "";
    private boolean platform;
    private Duration pause = Duration.ZERO;
    private boolean pauseFirst;
    private Backoff backoff = BACKOFF;
    private Duration stopWithin = STOP_WITHIN;
    private @Nullable Runnable stopBy;

    private Builder(String kind) {
      this.kind = kind;
    }

    /// What this one loop works on, for the log and the name of its thread.
    public Builder key(Object what) {
      this.key = what.toString();
      return this;
    }

    /// A platform thread, for steps that sit in native calls. Without it the thread is virtual.
    public Builder platform() {
      this.platform = true;
      return this;
    }

    /// Waits so long after each step; [SupervisedLoop#wake] ends a wait early.
    public Builder every(Duration time) {
      this.pause = time;
      return this;
    }

    /// Waits so long before the first step, and after each.
    public Builder afterEach(Duration time) {
      this.pauseFirst = true;
      return every(time);
    }

    /// How long to wait after failed steps.
    public Builder backoff(Backoff waits) {
      this.backoff = waits;
      return this;
    }

    /// How long [SupervisedLoop#close] waits for the running step.
    public Builder stopWithin(Duration time) {
      this.stopWithin = time;
      return this;
    }

    /// What makes a running step return, instead of an interrupt: closing the socket it reads from,
    /// for instance. A step that must not be interrupted gives one, too. Runs on the closing
    /// thread.
    public Builder stopBy(Runnable how) {
      this.stopBy = how;
      return this;
    }

    /// The loop, not started yet.
    public SupervisedLoop build(Work step) {
      return new SupervisedLoop(this, step);
    }

    public SupervisedLoop start(Work step) {
      SupervisedLoop loop = build(step);
      loop.start();
      return loop;
    }
  }

  /// Begins. Once only.
  public void start() {
    kind.running.add(this);
    thread.start();
  }

  /// Ends the wait before the next step, now or when it begins. Never blocks.
  public void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  /// Lets no further step begin; does not wait. A step ends its own loop so.
  public void finish() {
    closing = true;
    wake();
  }

  /// Whether the loop is to end: a long step looks at it.
  public boolean isClosing() {
    return closing;
  }

  /// Whether the calling thread is this loop's own.
  public boolean isCurrentThread() {
    return Thread.currentThread().equals(thread);
  }

  /// The running step works: resets the back-off. Called after every good step; a step that goes on
  /// for long calls it, from the loop's thread, when it has got something done.
  public void progress() {
    kind.steps.increment();
    if (failures > 0) {
      log.atInfo()
          .addKeyValue("loop", settings.kind)
          .addKeyValue("key", settings.key)
          .addKeyValue("failures", failures)
          .log("works again");
      failures = 0;
      lastLogged = null;
      failingSince = null;
    }
  }

  /// Lets no further step begin, has the running one return, and waits for it, but no longer than
  /// [Builder#stopWithin]. Idempotent. Called from a step it does not wait.
  @Override
  public void close() {
    finish();
    if (isCurrentThread() || thread.getState() == Thread.State.NEW) {
      kind.running.remove(this);
      return;
    }
    if (settings.stopBy == null) {
      thread.interrupt();
    } else {
      settings.stopBy.run();
    }
    try {
      if (!thread.join(settings.stopWithin)) {
        log.atWarn()
            .addKeyValue("loop", thread.getName())
            .addKeyValue("waited", settings.stopWithin)
            .log("a loop did not end in time, left alone");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      kind.running.remove(this);
    }
  }

  @Nullable Instant failingSince() {
    return failingSince;
  }

  /// Makes the next step fail with that, for tests; one that waits is interrupted.
  void inject(RuntimeException failure) {
    injected.set(failure);
    wake();
    if (settings.stopBy == null) {
      thread.interrupt();
    }
  }

  private void run() {
    try {
      boolean pause = settings.pauseFirst;
      while (!closing) {
        if (pause) {
          pause(settings.pause);
        }
        if (!closing) {
          // After a failure the back-off was the wait.
          pause = once();
        }
      }
    } finally {
      kind.running.remove(this);
    }
  }

  /// False when the step has failed.
  private boolean once() {
    try {
      RuntimeException failure = injected.getAndSet(null);
      if (failure != null) {
        throw failure;
      }
      step.run();
      progress();
      return true;
    } catch (InterruptedException e) {
      if (!closing) {
        RuntimeException failure = injected.getAndSet(null);
        failed(failure == null ? e : failure);
      }
    } catch (Throwable e) {
      // Whatever it was, the node goes on; an Error ends no loop either, for nothing would say so.
      if (!closing) {
        failed(e);
      }
    }
    return false;
  }

  private void failed(Throwable cause) {
    kind.failed(cause);
    if (failingSince == null) {
      failingSince = LoopRegistry.now();
    }
    Duration wait = settings.backoff.after(failures);
    failures++;
    String text = String.valueOf(cause);
    if (text.equals(lastLogged)) {
      log.atDebug()
          .addKeyValue("loop", settings.kind)
          .addKeyValue("key", settings.key)
          .addKeyValue("failures", failures)
          .log("failed again");
    } else {
      lastLogged = text;
      log.atError()
          .addKeyValue("loop", settings.kind)
          .addKeyValue("key", settings.key)
          .addKeyValue("next", wait)
          .setCause(cause)
          .log("a step failed, trying again");
    }
    pause(wait);
  }

  private void pause(Duration time) {
    if (time.isZero()) {
      return;
    }
    try {
      boolean _ = wake.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      // Closing, or a fault was injected: the next look decides.
    }
  }
}
