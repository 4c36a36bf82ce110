package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.KernelConntrackTable;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.work.Ticker;
import java.util.List;
import java.util.Random;

/// Planes for tests.
public final class UserspaceTestPlanes {
  private static final int PROCESSORS = 4;
  private static final long SEED = 42;

  private UserspaceTestPlanes() {}

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
        new KernelConntrackTable(),
        Ticker.system(),
        new Random(SEED));
  }
}
