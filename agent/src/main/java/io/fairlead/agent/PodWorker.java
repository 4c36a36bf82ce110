package io.fairlead.agent;

import io.fairlead.agent.lifecycle.PodMachine;
import io.fairlead.agent.lifecycle.Surroundings;
import io.fairlead.agent.pod.Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Drives one pod's machine on a virtual thread of its own. What others have to say to the machine
/// waits in a mailbox; between two looks the thread sleeps until mail comes or the machine's time
/// has come.
final class PodWorker implements Executor {
  private static final Logger log = LoggerFactory.getLogger(PodWorker.class);
  private static final Duration AFTER_FAULT = Duration.ofSeconds(10);

  private final PodMachine machine;
  private final InstantSource clock;
  private final Consumer<PodWorker> finished;
  private final BlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile Pod newest;
  private volatile boolean closed;

  /// @param finished is told when the pod is forgotten
  PodWorker(Pod pod, Surroundings surroundings, Consumer<PodWorker> finished) {
    this.newest = pod;
    this.clock = surroundings.clock();
    this.finished = finished;
    this.machine = new PodMachine(pod, surroundings, this);
    this.thread = Thread.ofVirtual().name("pod " + pod.key()).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /// The pod as it was seen last.
  Pod pod() {
    return newest;
  }

  void update(Pod pod) {
    newest = pod;
    execute(() -> machine.update(pod));
  }

  void vanished(Duration grace) {
    execute(() -> machine.vanished(grace));
  }

  void reject(String reason, String message) {
    execute(() -> machine.reject(reason, message));
  }

  /// Something about the pod has changed: look again.
  void poke() {
    execute(() -> {});
  }

  @Override
  public void execute(Runnable mail) {
    mailbox.add(mail);
  }

  private void run() {
    try {
      while (!closed) {
        Instant wake = look();
        if (machine.stage() == PodMachine.Stage.FORGOTTEN) {
          // At once: until then the pod is found under its name, which may be another's by now.
          finished.accept(this);
          return;
        }
        readMail(wake);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Waits until that moment for mail, and reads all there is.
  private void readMail(Instant until) throws InterruptedException {
    long wait = Math.max(0, Duration.between(clock.instant(), until).toMillis());
    Runnable mail = mailbox.poll(wait, TimeUnit.MILLISECONDS);
    while (mail != null) {
      mail.run();
      mail = mailbox.poll();
    }
  }

  private Instant look() {
    try {
      return machine.step();
    } catch (RuntimeException e) {
      if (!closed) {
        log.atError()
            .addKeyValue("pod", newest.key())
            .setCause(e)
            .log("a look failed, trying again");
      }
      return clock.instant().plus(AFTER_FAULT);
    }
  }

  void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
