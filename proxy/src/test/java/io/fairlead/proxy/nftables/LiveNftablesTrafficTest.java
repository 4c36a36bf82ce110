package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.LiveTrafficContract;
import io.fairlead.proxy.testing.PlanFollower;
import org.junit.jupiter.api.Test;

/// Balance and affinity through a real table of nftables, and what it counts.
class LiveNftablesTrafficTest extends LiveTrafficContract {
  @Override
  protected DataPlane open(Lab lab) {
    return lab.node().call(() -> NftablesPlane.open(IpAddress.Family.IPV4));
  }

  @Override
  protected void spread(int connections) {
    assertThat(packets()).as("each is counted once").isEqualTo(connections);
  }

  @Test
  void countersGoOnWhenEndpointsChange() {
    PlanFollower.apply(plane(), plan(0, "L1", "R1"));
    answers(30);
    assertThat(packets()).isEqualTo(30);
    PlanFollower.apply(plane(), plan(0, "L1", "L2", "R1"));
    assertThat(packets()).isEqualTo(30);
    answers(10);
    assertThat(packets()).isEqualTo(40);
  }

  private long packets() {
    return plane().observe().traffic().values().stream()
        .mapToLong(traffic -> traffic.packets())
        .sum();
  }
}
