package io.fairlead.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SupervisedLoopTest {
  private static final Backoff QUICK = new Backoff(Duration.ofMillis(1), Duration.ofMillis(4));

  record Thrown(String name, Throwable what) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Thrown> thrown() {
    return Stream.of(
        new Thrown("unchecked exception", new IllegalStateException("x")),
        new Thrown("checked exception", new java.io.IOException("x")),
        new Thrown("error", new AssertionError("x")),
        new Thrown("missing class", new NoClassDefFoundError("x")),
        new Thrown("interrupt that nobody sent", new InterruptedException()));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void aStepThatThrowsIsTriedAgain(Thrown row) {
    AtomicInteger calls = new AtomicInteger();
    String kind = "throws " + row.name();
    try (SupervisedLoop _ =
        SupervisedLoop.of(kind)
            .backoff(QUICK)
            .every(Duration.ofMillis(1))
            .start(
                () -> {
                  if (calls.incrementAndGet() == 1) {
                    throw sneaky(row.what());
                  }
                })) {
      await().atMost(Duration.ofMinutes(1)).until(() -> calls.get() > 3);
      assertThat(status(kind).restarts()).isEqualTo(1);
      assertThat(status(kind).lastFailure()).isEqualTo(String.valueOf(row.what()));
      assertThat(status(kind).failingSince()).isNull();
      assertThat(status(kind).running()).isEqualTo(1);
    }
    assertThat(status(kind).running()).isZero();
  }

  @Test
  void aStepThatFailedWaitsForTheBackoffAndNotForThePeriodToo() {
    AtomicInteger calls = new AtomicInteger();
    try (SupervisedLoop _ =
        SupervisedLoop.of("hourly")
            .backoff(QUICK)
            .every(Duration.ofHours(1))
            .start(
                () -> {
                  if (calls.incrementAndGet() < 3) {
                    throw new IllegalStateException("x");
                  }
                })) {
      await().atMost(Duration.ofMinutes(1)).until(() -> calls.get() == 3);
    }
  }

  @SuppressWarnings("unchecked") // Throws what the signature does not name, as a bug would.
  private static <T extends Throwable> RuntimeException sneaky(Throwable what) throws T {
    throw (T) what;
  }

  @Test
  void aLoopThatKeepsFailingIsReportedToHealth() {
    try (SupervisedLoop _ =
        SupervisedLoop.of("always fails")
            .key("ipv4")
            .backoff(QUICK)
            .start(
                () -> {
                  throw new IllegalStateException("no kernel");
                })) {
      await().atMost(Duration.ofMinutes(1)).until(() -> status("always fails").restarts() > 5);
      assertThat(LoopRegistry.failingFor(Duration.ZERO))
          .anySatisfy(
              one -> {
                assertThat(one.kind()).isEqualTo("always fails");
                assertThat(one.lastFailure()).contains("no kernel");
              });
      assertThat(LoopRegistry.failingFor(Duration.ofHours(1))).isEmpty();
    }
    assertThat(LoopRegistry.failingFor(Duration.ZERO))
        .noneMatch(one -> one.kind().equals("always fails"));
  }

  @Test
  void closingInterruptsAStepThatWaitsAndWaitsForItsEnd() {
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch began = new CountDownLatch(1);
    SupervisedLoop loop =
        SupervisedLoop.of("waits")
            .start(
                () -> {
                  began.countDown();
                  try {
                    new Semaphore(0).acquire();
                  } finally {
                    ended.set(true);
                  }
                });
    await().atMost(Duration.ofMinutes(1)).until(() -> began.getCount() == 0);
    loop.close();
    assertThat(ended).isTrue();
    loop.close();
    assertThat(status("waits").restarts()).isZero();
  }

  @Test
  void closingByAnotherWayDoesNotInterrupt() {
    SynchronousQueue<String> queue = new SynchronousQueue<>();
    AtomicBoolean interrupted = new AtomicBoolean();
    SupervisedLoop loop =
        SupervisedLoop.of("not interrupted")
            .stopBy(() -> assertThat(queue.offer("end")).isTrue())
            .start(
                () -> {
                  String _ = queue.take();
                  interrupted.set(Thread.currentThread().isInterrupted());
                });
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> LoopRegistry.running("not interrupted").size() == 1);
    await().atMost(Duration.ofMinutes(1)).pollDelay(Duration.ofMillis(50)).until(() -> true);
    loop.close();
    assertThat(interrupted).isFalse();
  }

  @Test
  void aStepMayEndItsOwnLoop() {
    AtomicInteger calls = new AtomicInteger();
    SupervisedLoop[] self = new SupervisedLoop[1];
    self[0] =
        SupervisedLoop.of("ends itself")
            .build(
                () -> {
                  calls.incrementAndGet();
                  self[0].close();
                });
    self[0].start();
    await().atMost(Duration.ofMinutes(1)).until(() -> status("ends itself").running() == 0);
    assertThat(calls).hasValue(1);
  }

  @Test
  void wakingEndsThePause() {
    AtomicInteger calls = new AtomicInteger();
    try (SupervisedLoop loop =
        SupervisedLoop.of("woken").every(Duration.ofHours(1)).start(calls::incrementAndGet)) {
      await().atMost(Duration.ofMinutes(1)).until(() -> calls.get() == 1);
      loop.wake();
      await().atMost(Duration.ofMinutes(1)).until(() -> calls.get() == 2);
    }
  }

  @Test
  void anInjectedFaultHitsALoopThatWaitsAndIsSurvived() {
    AtomicInteger calls = new AtomicInteger();
    try (SupervisedLoop _ =
        SupervisedLoop.of("hit")
            .backoff(QUICK)
            .start(
                () -> {
                  calls.incrementAndGet();
                  new Semaphore(0).acquire();
                })) {
      await().atMost(Duration.ofMinutes(1)).until(() -> calls.get() == 1);
      assertThat(LoopFaults.failOnce("hit")).isEqualTo(1);
      await().atMost(Duration.ofMinutes(1)).until(() -> calls.get() == 2);
      assertThat(status("hit").lastFailure()).contains("injected into hit");
    }
  }

  private static LoopStatus status(String kind) {
    return LoopRegistry.statuses().stream()
        .filter(one -> one.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }
}
