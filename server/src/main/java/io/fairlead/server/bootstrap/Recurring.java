package io.fairlead.server.bootstrap;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does one thing again and again, with a pause between, on a thread of its own until it is closed.
/// A round that fails is logged, and the next one tries again.
public final class Recurring implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Recurring.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final String name;
  private final Duration pause;
  private final Runnable round;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  private Recurring(String name, Duration pause, Runnable round) {
    this.name = name;
    this.pause = pause;
    this.round = round;
    this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
  }

  /// Begins; the first round comes after the first pause.
  public static Recurring every(Duration pause, String name, Runnable round) {
    Recurring recurring = new Recurring(name, pause, round);
    recurring.thread.start();
    return recurring;
  }

  private void run() {
    try {
      while (!closing.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        try {
          round.run();
        } catch (RuntimeException e) {
          if (closing.getCount() > 0) {
            log.atWarn().addKeyValue("task", name).setCause(e).log("failed, trying again later");
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Lets no further round begin and waits for a running one, but not for one that hangs.
  @Override
  public void close() {
    closing.countDown();
    try {
      if (!thread.join(PATIENCE)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
