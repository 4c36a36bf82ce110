package io.fairlead.proxy.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.ConntrackTable;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.userspace.rules.RedirectRoute;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A step of the loop may throw what nothing expects: the loop goes on, and no stale conversation
/// is left in the kernel.
class UdpFlowCleanerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final IpAddress SERVICE = IpAddress.parse("10.112.0.3");

  private final Table table = new Table();
  private final UdpFlowCleaner cleaner = new UdpFlowCleaner(IpAddress.Family.IPV4, table);

  @AfterEach
  void close() {
    cleaner.close();
  }

  @Test
  void theLoopGoesOnAfterAFailureNothingExpects() {
    long restarts = restarts();
    assertThat(LoopFaults.failOnce(UdpFlowCleaner.LOOP)).isPositive();
    await().atMost(LIMIT).until(() -> restarts() > restarts);
    removeRouteOfAStaleFlow(53);
    await().atMost(LIMIT).until(table.flows::isEmpty);
  }

  /// The fault comes out of the middle of a step, after the work was taken from the queue.
  @Test
  void aRemovalThatThrowsWhatNothingExpectsIsTriedAgain() {
    long restarts = restarts();
    table.failure.set(new StackOverflowError("injected"));
    removeRouteOfAStaleFlow(53);
    await().atMost(LIMIT).until(() -> restarts() > restarts);
    removeRouteOfAStaleFlow(54);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(table.flows).isEmpty());
  }

  /// One refusal costs its own removal only.
  @Test
  void whatTheKernelRefusesDoesNotHoldUpLaterWork() {
    table.failure.set(new IllegalStateException("refused"));
    removeRouteOfAStaleFlow(53);
    await().atMost(LIMIT).until(() -> table.failure.get() == null);
    ConntrackTable.UdpFlow refused = table.flows.getFirst();
    removeRouteOfAStaleFlow(54);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(table.flows).containsExactly(refused));
  }

  private void removeRouteOfAStaleFlow(int port) {
    table.flows.add(
        new ConntrackTable.UdpFlow(
            new ConntrackTable.Socket(SERVICE, port),
            new ConntrackTable.Socket(IpAddress.parse("127.0.0.1"), 4000 + port),
            "entry"));
    RedirectRoute route =
        new RedirectRoute(
            new RedirectRoute.Destination(SERVICE, Protocol.UDP, port),
            new RedirectRoute.Action.Refuse(),
            null,
            List.of(),
            true,
            "shop/dns:" + port);
    cleaner.changed(new DestinationOwners.Changes(List.of(route), List.of()));
  }

  private static long restarts() {
    return LoopRegistry.statuses().stream()
        .filter(each -> each.kind().equals(UdpFlowCleaner.LOOP))
        .findFirst()
        .orElseThrow()
        .restarts();
  }

  /// Conversations in memory; asking for them fails once with what is set.
  private static final class Table implements ConntrackTable {
    final List<UdpFlow> flows = new CopyOnWriteArrayList<>();
    final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    @Override
    public List<UdpFlow> udpFlows(IpAddress.Family family) {
      switch (failure.getAndSet(null)) {
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case null, default -> {
          return List.copyOf(flows);
        }
      }
    }

    @Override
    public int forget(List<UdpFlow> stale) {
      return (int) stale.stream().filter(flows::remove).count();
    }
  }
}
