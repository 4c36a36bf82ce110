package io.fairlead.controller.loadbalancer;

import static io.fairlead.client.ResourceType.LEASES;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a Service's condition says of who announces its address.
class AnnouncementConditionTest {
  private static final ObjectKey LEASE = new ObjectKey("kube-public", "fairlead-announce-a");
  private final LoadBalancerScenario scenario = LoadBalancerScenario.standard();

  @AfterEach
  void close() {
    scenario.close();
  }

  private void lease(String annotations) {
    String silent = "fairlead.dev/announces: '', fairlead.dev/routes: ''";
    scenario.cluster.client.patch(
        LEASES, LEASE, PatchType.MERGE, Yaml.parse(LoadBalancerScenario.announcer(silent)));
    scenario.cluster.client.patch(
        LEASES,
        LEASE,
        PatchType.MERGE,
        Yaml.parse("metadata: {annotations: {" + annotations + "}}"));
  }

  /// Lets time go by until the condition is this.
  private void becomes(String expected) {
    scenario.cluster.until(
        () -> {
          scenario.cluster.clock.advance(Duration.ofSeconds(1));
          scenario.cluster.settle();
          return scenario.condition("web").equals(expected);
        });
  }

  @Test
  void lv44AnAddressNoNodeAnnouncesIsSaidAfterTenSeconds() {
    lease("");
    scenario.service("web");
    assertThat(scenario.condition("web")).isEmpty();
    becomes("False NoAnnouncer");
    scenario.told("NoAnnouncer", "no node announces 192.168.77.240");
    lease("fairlead.dev/announces: 192.168.77.240");
    becomes("True Allocated");
  }

  @Test
  void aServiceThatAlwaysWorkedIsNeverWrittenTo() {
    lease("fairlead.dev/announces: 192.168.77.240");
    scenario.service("web");
    String version =
        io.fairlead.client.ObjectMeta.of(
                scenario.cluster.get(io.fairlead.client.ResourceType.SERVICES, "web"))
            .resourceVersion();
    for (int i = 0; i < 30; i++) {
      scenario.cluster.clock.advance(Duration.ofSeconds(1));
      scenario.cluster.settle();
    }
    assertThat(
            io.fairlead.client.ObjectMeta.of(
                    scenario.cluster.get(io.fairlead.client.ResourceType.SERVICES, "web"))
                .resourceVersion())
        .isEqualTo(version);
  }

  @Test
  void lv58AnAddressThatADeviceHasIsSaidSo() {
    lease("fairlead.dev/in-use: 192.168.77.240");
    scenario.service("web");
    becomes("False AddressInUse");
  }

  @Test
  void aNodeThatTellsARouterAnnounces() {
    lease("fairlead.dev/routes: 192.168.77.240");
    scenario.service("web");
    for (int i = 0; i < 15; i++) {
      scenario.cluster.clock.advance(Duration.ofSeconds(1));
      scenario.cluster.settle();
    }
    assertThat(scenario.condition("web")).isEmpty();
  }
}
