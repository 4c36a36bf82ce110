package io.fairlead.proxy.userspace.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.syscall.Epoll;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AdaptiveBusyPollTest {
  private static final long MOST = 50_000;

  /// @param looks for how long it looked before
  /// @param took how long it waited in all
  record Case(String name, long looks, long took, long expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("a short sleep: looking would have been better", 0, 30_000, MOST),
        new Case("looked for long, then slept for a little", MOST, 90_000, MOST),
        new Case("a long sleep: looks shorter", MOST, 1_000_000, 12_500),
        new Case("another", 12_500, 1_000_000, 3_125),
        new Case("and another: not at all", 3_125, 1_000_000, 0),
        new Case("who does not look sleeps on", 0, 1_000_000, 0));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void looksAsItPays(Case each) {
    assertThat(AdaptiveBusyPoll.next(each.looks, MOST, each.took)).isEqualTo(each.expected);
  }

  @Test
  void whatComesWhileItLooksIsFoundWithoutASleep() {
    AtomicLong now = new AtomicLong();
    try (Epoll queue = Epoll.open()) {
      // Time passes only when the test asks for it.
      AdaptiveBusyPoll alertness = new AdaptiveBusyPoll(queue, () -> now.addAndGet(1_000), MOST);
      queue.wake();
      assertThat(alertness.await(-1)).isEqualTo(1);
      assertThat(alertness.await(1)).as("nothing comes, and it looked").isZero();
      assertThat(now.get()).isGreaterThan(MOST);
      queue.wake();
      assertThat(alertness.await(-1)).isEqualTo(1);
      assertThat(alertness.await(0)).isZero();
    }
  }
}
