package io.fairlead.agent;

import io.fairlead.agent.lifecycle.PodStateMachine;
import io.fairlead.agent.lifecycle.PodWorkerDependencies;
import io.fairlead.agent.pod.Pod;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Drives one pod's state machine in a loop of its own. What other threads have to say to the
/// machine waits in a mailbox; between two steps the loop sleeps until mail comes or the machine's
/// next step is due. Mail that throws is delivered once more; a second failure drops it, so that it
/// does not hold up what came after it.
final class PodWorker implements Executor {
  static final String LOOP = "pod-worker";
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));

  private final PodStateMachine machine;
  private final InstantSource clock;
  private final Consumer<PodWorker> finished;
  private final BlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
  private final SupervisedLoop loop;
  private volatile Pod newest;
  // Whether the machine has looked at the pod once, so that its status is reported.
  private volatile boolean looked;
  // Owned by the loop.
  private @Nullable Runnable failed;
  private Instant due = Instant.EPOCH;

  /// @param finished called when the machine has forgotten the pod
  PodWorker(Pod pod, PodWorkerDependencies dependencies, Consumer<PodWorker> finished) {
    this.newest = pod;
    this.clock = dependencies.clock();
    this.finished = finished;
    this.machine = new PodStateMachine(pod, dependencies, this);
    this.loop = SupervisedLoop.of(LOOP).key(pod.key()).backoff(BACKOFF).build(this::round);
  }

  void start() {
    loop.start();
  }

  /// The newest state of the pod that the API has shown.
  Pod pod() {
    return newest;
  }

  /// Whether the pod has been looked at once.
  boolean hasLooked() {
    return looked;
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

  /// Something about the pod has changed: the machine takes a step.
  void poke() {
    execute(() -> {});
  }

  @Override
  public void execute(Runnable mail) {
    mailbox.add(mail);
    // Ends the wait after a failure: what has come may be what mends it.
    loop.wake();
  }

  /// Mail comes first: a machine whose step fails still hears what has changed.
  private void round() throws InterruptedException {
    readMail(due);
    due = Instant.EPOCH;
    Instant next = machine.step();
    looked = true;
    if (machine.stage() == PodStateMachine.Stage.FORGOTTEN) {
      // At once: until then the pod is found under its name, which may be another's by now.
      finished.accept(this);
      loop.finish();
      return;
    }
    due = next;
  }

  /// Waits until that moment for mail, and reads all there is.
  private void readMail(Instant until) throws InterruptedException {
    Runnable again = failed;
    failed = null;
    if (again != null) {
      again.run();
    }
    long wait = Math.max(0, Duration.between(clock.instant(), until).toMillis());
    Runnable mail = mailbox.poll(wait, TimeUnit.MILLISECONDS);
    while (mail != null) {
      failed = mail;
      mail.run();
      failed = null;
      mail = mailbox.poll();
    }
  }

  void close() {
    loop.close();
  }
}
