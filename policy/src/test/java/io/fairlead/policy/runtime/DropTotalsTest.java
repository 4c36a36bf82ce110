package io.fairlead.policy.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.PolicyTable;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Counters that go or start again at zero do not take away from totals.
class DropTotalsTest {
  private static final IpAddress A = IpAddress.parse("10.244.1.11");
  private static final DropTotals.Series X = new DropTotals.Series("x", Direction.INGRESS);

  private final DropTotals totals = new DropTotals();

  private void look(Map<IpAddress, Long> drops, long unknown) {
    totals.look(
        Map.of(
            IpAddress.Family.IPV4,
            new PolicyTable.Counters(Map.of(Direction.INGRESS, drops), unknown, 0, 0)),
        address -> address.equals(A) ? Optional.of("x") : Optional.empty());
  }

  @Test
  void aTotalGrowsWithItsCounter() {
    look(Map.of(A, 3L), 1);
    look(Map.of(A, 5L), 1);
    assertThat(totals.drops()).isEqualTo(Map.of(X, 5L));
    assertThat(totals.unknown()).isOne();
  }

  @Test
  void aCounterThatBeginsAnewAddsWhatItHas() {
    look(Map.of(A, 5L), 7);
    look(Map.of(A, 2L), 0);
    assertThat(totals.drops()).isEqualTo(Map.of(X, 7L));
    assertThat(totals.unknown()).isEqualTo(7);
  }

  @Test
  void aCounterThatIsGoneLeavesItsTotal() {
    look(Map.of(A, 5L), 0);
    look(Map.of(), 0);
    look(Map.of(A, 5L), 0);
    assertThat(totals.drops()).isEqualTo(Map.of(X, 10L));
  }
}
