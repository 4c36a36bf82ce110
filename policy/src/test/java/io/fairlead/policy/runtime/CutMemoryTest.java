package io.fairlead.policy.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackLabels.Outcome;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Which connections are cut again, and for how long.
class CutMemoryTest {
  private final AtomicLong now = new AtomicLong();
  private final CutMemory memory = new CutMemory(now::get);

  private static ConntrackTuple tuple(String from, int port, String to, int toPort) {
    try {
      return new ConntrackTuple(
          InetAddress.getByName(from), InetAddress.getByName(to), 6, port, toPort);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /// A client that called a Service.
  private static ConntrackEntry connection(int port) {
    return new ConntrackEntry(
        tuple("10.244.1.21", port, "10.96.0.10", 80),
        tuple("10.244.1.11", 8080, "10.244.1.21", port),
        0,
        0,
        0,
        0,
        0,
        0,
        null,
        null,
        0);
  }

  private List<ConntrackTuple> cutAgain(Outcome outcome) {
    List<ConntrackTuple> found = new ArrayList<>();
    memory.cutAgain(
        entry -> {
          found.add(entry.original());
          return outcome;
        });
    return found;
  }

  @Test
  void aConnectionIsFoundByTheAddressesOfItsAnswers() {
    memory.add(connection(4000));
    assertThat(cutAgain(Outcome.DONE))
        .containsExactly(tuple("10.244.1.11", 8080, "10.244.1.21", 4000));
  }

  @Test
  void oneThatIsAwayIsRememberedForAsLongAsTcpSendsAgain() {
    memory.add(connection(4000));
    now.addAndGet(Duration.ofMinutes(14).toNanos());
    assertThat(cutAgain(Outcome.DONE)).hasSize(1);
    now.addAndGet(Duration.ofMinutes(14).toNanos());
    assertThat(cutAgain(Outcome.GONE)).hasSize(1);
    now.addAndGet(Duration.ofMinutes(2).toNanos());
    assertThat(cutAgain(Outcome.GONE)).hasSize(1);
    assertThat(memory.size()).isZero();
  }

  @Test
  void oneThatIsAllowedAgainIsForgotten() {
    memory.add(connection(4000));
    memory.add(connection(4001));
    memory.keepIf(entry -> entry.original().sourcePort() == 4001);
    assertThat(memory.size()).isOne();
  }

  @Test
  void theOldestIsForgottenBeyondTheBound() {
    for (int port = 1; port <= 2000; port++) {
      memory.add(connection(port));
    }
    assertThat(memory.size()).isEqualTo(1024);
    assertThat(cutAgain(Outcome.DONE).getFirst().destinationPort()).isEqualTo(2000 - 1023);
  }
}
