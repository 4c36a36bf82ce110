package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Ticker;
import io.fairlead.proxy.conntrack.KernelFlowTable;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import java.util.List;
import java.util.Random;

/// Planes for tests.
public final class Planes {
  private static final int PROCESSORS = 4;
  private static final long SEED = 42;

  private Planes() {}

  /// A plane whose rules and sockets are in the node of a lab.
  public static UserspacePlane inNode(Lab lab, IpAddress.Family family) {
    return lab.node().call(() -> here(family));
  }

  private static UserspacePlane here(IpAddress.Family family) {
    UserspaceSettings settings =
        UserspaceSettings.standard(
            PROCESSORS, List.of(new Fixture(family, Protocol.TCP).source(Origin.NODE)));
    return UserspacePlane.open(
        family,
        settings,
        UserspacePlane.redirects(family, settings),
        new KernelFlowTable(),
        Ticker.system(),
        new Random(SEED));
  }
}
