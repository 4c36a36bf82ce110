package io.fairlead.proxy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.proxy.core.Applied;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Observed;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.fixture.Objects;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// The order in which modes change hands.
class ModeExchangeTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /// Notes what it is asked to do; connections go through it for a few looks.
  private static final class Noting implements DataPlane {
    final List<String> asked = new CopyOnWriteArrayList<>();
    private int looks;

    @Override
    public Applied apply(Plan desired) {
      asked.add("write");
      return new Applied(false, 1, Map.of());
    }

    @Override
    public Applied reconcile(Plan desired) {
      return apply(desired);
    }

    @Override
    public Observed observe() {
      return new Observed("", Map.of(), Map.of());
    }

    @Override
    public void removeAll() {
      asked.add("remove");
    }

    @Override
    public void removeBeside(String successor) {
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
          Objects.yaml(
              """
              apiVersion: v1
              kind: Node
              metadata: {name: node-a}
              status: {addresses: [{type: InternalIP, address: 192.0.2.10}]}
              """));
      test.start();
      await().atMost(LIMIT).until(test.proxy::isReady);
      Noting former = new Noting();
      assertThat(change(test, "nftables", former)).isEmpty();
      assertThat(test.tool.save("nat")).doesNotContain("KUBE-SERVICES");
      await().atMost(LIMIT).until(() -> former.asked.contains("write"));
      former.asked.clear();
      assertThat(
              change(
                  test,
                  "iptables",
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

  private static List<String> change(TestProxy test, String mode, DataPlane plane) {
    return test.proxy.change(mode, Map.of(IpAddress.Family.IPV4, plane), () -> {});
  }
}
