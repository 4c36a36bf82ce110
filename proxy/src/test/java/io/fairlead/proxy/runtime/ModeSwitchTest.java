package io.fairlead.proxy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneSnapshot;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.testing.ProxyTestObjects;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// The order in which modes change hands.
class ModeSwitchTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /// Notes what it is asked to do; connections go through it for a few looks.
  private static final class Noting implements DataPlane {
    final List<String> asked = new CopyOnWriteArrayList<>();
    private int looks;

    @Override
    public ApplyResult apply(Plan desired, PlanDiff change) {
      return reconcile(desired);
    }

    @Override
    public ApplyResult reconcile(Plan desired) {
      asked.add("write");
      return new ApplyResult(false, 1, Map.of());
    }

    @Override
    public DataPlaneSnapshot observe() {
      return new DataPlaneSnapshot("", Map.of(), Map.of());
    }

    @Override
    public void removeAll() {
      asked.add("remove");
    }

    @Override
    public void removeBeside(ProxyMode successor) {
      asked.add("remove beside " + successor);
    }

    @Override
    public boolean carries() {
      asked.add("carries");
      return looks++ < 2;
    }

    @Override
    public void close() {
      asked.add("close");
    }
  }

  @Test
  void theOldRulesGoWhenTheirConnectionsHaveEnded() throws Exception {
    try (TestProxy test = new TestProxy()) {
      test.apply(
          ProxyTestObjects.yaml(
              """
              apiVersion: v1
              kind: Node
              metadata: {name: node-a}
              status: {addresses: [{type: InternalIP, address: 192.0.2.10}]}
              """));
      test.start();
      await().atMost(LIMIT).until(test.proxy::isReady);
      Noting former = new Noting();
      assertThat(change(test, ProxyMode.NFTABLES, former)).isEmpty();
      assertThat(test.tool.save("nat")).doesNotContain("KUBE-SERVICES");
      await().atMost(LIMIT).until(() -> former.asked.contains("write"));
      former.asked.clear();
      assertThat(
              change(
                  test,
                  ProxyMode.IPTABLES,
                  new IptablesPlane(
                      test.tool,
                      IptablesSettings.standard(),
                      new Canary(Pacer.system(), Duration.ofHours(1)))))
          .isEmpty();
      // A write of the former mode that was under way may come first.
      assertThat(former.asked.stream().dropWhile("write"::equals))
          .containsExactly("carries", "carries", "carries", "remove beside iptables", "close");
      assertThat(test.tool.save("nat")).contains("KUBE-SERVICES");
    }
  }

  private static List<String> change(TestProxy test, ProxyMode mode, DataPlane plane) {
    return test.proxy.change(mode, Map.of(IpAddress.Family.IPV4, plane), () -> {});
  }
}
