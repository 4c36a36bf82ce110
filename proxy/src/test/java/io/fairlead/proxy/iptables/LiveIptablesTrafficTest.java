package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.LiveTrafficContract;

/// Balance and affinity through rules with probabilities and lists of recent clients.
class LiveIptablesTrafficTest extends LiveTrafficContract {
  @Override
  protected DataPlane open(Lab lab) {
    return LivePlanes.open(lab, IpAddress.Family.IPV4);
  }

  @Override
  protected void spread(int connections) {
    assertThat(
            plane().observe().traffic().values().stream()
                .mapToLong(traffic -> traffic.packets())
                .sum())
        .as("each is counted once")
        .isEqualTo(connections);
  }
}
