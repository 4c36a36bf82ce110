package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.faults.Churn;
import io.fairlead.proxy.faults.KilledContract;
import io.fairlead.proxy.testing.FakeIptables;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.stream.IntStream;

/// A proxy in iptables mode, killed again and again. A document changes the table `filter` and then
/// the table `nat`, each at once: in between, a kill leaves one table a plan ahead of the other,
/// and each of them whole.
class KilledIptablesTest extends KilledContract {
  @Override
  protected String mode() {
    return "iptables";
  }

  @Override
  protected int check(NetworkNamespace node, int last) {
    IptablesRunner tool = LivePlanes.tool(node, IpAddress.Family.IPV4);
    int nat = number(tool, FixedRules.NAT, last);
    int filter = number(tool, FixedRules.FILTER, last);
    assertThat(filter).as("filter is written first").isGreaterThanOrEqualTo(nat);
    try (IptablesPlane plane = plane(tool)) {
      int writes = PlanFollower.reconcile(plane, Churn.plan(filter)).writes();
      assertThat(writes == 0)
          .as("repairs after a kill between the tables")
          .isEqualTo(filter == nat);
    }
    return filter;
  }

  /// The plan whose rules a table has, chain by chain.
  private static int number(IptablesRunner tool, String table, int last) {
    SavedTable actual = SavedTable.parse(tool.save(table));
    return IntStream.of(last + 1, last)
        .filter(number -> expected(number, table).chains().equals(actual.chains()))
        .findFirst()
        .orElseGet(
            () -> {
              assertThat(actual.chains())
                  .as("plan " + last)
                  .isEqualTo(expected(last, table).chains());
              return last;
            });
  }

  private static SavedTable expected(int number, String table) {
    FakeIptables fake = new FakeIptables();
    try (IptablesPlane plane = plane(fake)) {
      PlanFollower.apply(plane, Churn.plan(number));
    }
    return SavedTable.parse(fake.save(table));
  }

  private static IptablesPlane plane(IptablesRunner tool) {
    return new IptablesPlane(
        tool, IptablesSettings.standard(), new Canary(Pacer.system(), Duration.ofDays(1)));
  }
}
