package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.testing.PlanFollower;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What an audit says of a table that another program has changed.
@Tag("system")
class LiveAuditTest {
  private final NetworkNamespace namespace =
      NetworkNamespace.create("flaudit" + ProcessHandle.current().pid());

  @AfterEach
  void remove() {
    namespace.delete();
  }

  private void nft(String words) {
    CommandRunner.Result result =
        CommandRunner.inside(namespace, Duration.ofMinutes(1))
            .run(words, List.of("nft", "-f", "-"));
    assertThat(result.exit()).as(result.error()).isZero();
  }

  private AuditReport audit(Plan plan) {
    return namespace.call(() -> NftablesAudit.of(plan));
  }

  @Test
  void itNamesWhatTheKernelLacksAndWhatItHasTooMuch() {
    Plan plan = new Fixture(IpAddress.Family.IPV4, Protocol.TCP).plan(Setup.STANDARD);
    assertThat(audit(plan).present()).isFalse();
    try (NftablesPlane plane = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV4))) {
      PlanFollower.apply(plane, plan);
      // Another history, other slots: no difference.
      PlanFollower.apply(plane, Plan.empty(plan.node()));
      PlanFollower.apply(plane, plan);
    }
    AuditReport fine = audit(plan);
    assertThat(fine.missing()).isEmpty();
    assertThat(fine.extra()).isEmpty();
    assertThat(fine.agrees()).isTrue();
    nft(
        """
        delete element ip fairlead-proxy fronts { 10.112.0.1 . tcp . 80 }
        add element ip fairlead-proxy endpoints { 10.112.0.2 . tcp . 80 . f100:9 : 1.2.3.4 . 99 }
        """);
    AuditReport damaged = audit(plan);
    assertThat(damaged.missing())
        .singleElement()
        .asString()
        .contains("10.112.0.1 . tcp . 80", "shop/cart:http");
    assertThat(damaged.extra()).singleElement().asString().contains("1.2.3.4 . 99");
    assertThat(damaged.agrees()).isFalse();
  }
}
