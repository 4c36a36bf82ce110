package io.fairlead.controller.loadbalancer;

import static io.fairlead.client.ResourceType.NODES;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Services with the nodes' own addresses: LV71.
class NodeAddressVectorsTest {
  private final LoadBalancerScenario scenario = LoadBalancerScenario.with("node");

  NodeAddressVectorsTest() {
    node("a", "{type: InternalIP, address: 192.168.77.11}");
    node("b", "{type: InternalIP, address: 192.168.77.12}");
    scenario.start();
  }

  private void node(String name, String addresses) {
    scenario.cluster.create(
        NODES,
        """
        metadata: {name: %s}
        status: {conditions: [{type: Ready, status: "True"}], addresses: [%s]}
        """
            .formatted(name, addresses));
  }

  private void patchNode(String name, String yaml) {
    scenario.cluster.client.patch(
        NODES, new ObjectKey("", name), PatchType.MERGE, Yaml.parse(yaml));
    scenario.cluster.settle();
  }

  @AfterEach
  void close() {
    scenario.close();
  }

  @Test
  void lv71AServiceHasTheAddressesOfAllNodes() {
    scenario.service("web");
    assertThat(scenario.ip("web")).isEqualTo("192.168.77.11,192.168.77.12");
    assertThat(scenario.pool("web")).isEqualTo("node");
    assertThat(scenario.finalizers("web")).contains(BalancedService.FINALIZER);
    scenario.told("EnsuredLoadBalancer", "192.168.77.11, 192.168.77.12 from pool node");
  }

  @Test
  void lv71ASecondServiceOnThePortWaitsAndIsServedWhenItIsFree() {
    scenario.service("web");
    scenario.service("other");
    assertThat(scenario.ip("other")).isEmpty();
    scenario.told(
        "SyncLoadBalancerFailed", "the nodes' addresses are held by default/web on 80/TCP (FL405)");
    scenario.service("udp", "ports: [{port: 80, protocol: UDP}]");
    assertThat(scenario.ip("udp")).isEqualTo("192.168.77.11,192.168.77.12");
    scenario.cluster.client.delete(
        ResourceType.SERVICES, new ObjectKey("default", "web"), DeleteOptions.DEFAULT);
    scenario.cluster.settle();
    assertThat(scenario.ip("other")).isEqualTo("192.168.77.11,192.168.77.12");
  }

  @ParameterizedTest(name = "port {0}")
  @ValueSource(ints = {22, 53, 179, 2379, 2380, 6443, 10248, 10259, 30000, 32767})
  void lv71PortsOfTheMachineAreRefused(int port) {
    scenario.service("web", "ports: [{port: " + port + ", protocol: TCP}]");
    assertThat(scenario.ip("web")).isEmpty();
    scenario.told(
        "SyncLoadBalancerFailed", "the nodes keep " + port + "/TCP for themselves (FL405)");
  }

  @Test
  void addressesOfOutsideWinAndNodesComeAndGo() {
    scenario.service("web");
    patchNode(
        "b", "metadata: {labels: {node.kubernetes.io/exclude-from-external-load-balancers: ''}}");
    assertThat(scenario.ip("web")).isEqualTo("192.168.77.11");
    node(
        "c",
        "{type: InternalIP, address: 192.168.77.13}, {type: ExternalIP, address: 203.0.113.7}");
    scenario.cluster.settle();
    assertThat(scenario.ip("web")).isEqualTo("203.0.113.7");
  }

  @Test
  void aRestartLeavesThePortToItsHolder() {
    scenario.service("old");
    scenario.service("web");
    scenario.cluster.client.delete(
        ResourceType.SERVICES, new ObjectKey("default", "old"), DeleteOptions.DEFAULT);
    scenario.cluster.settle();
    scenario.service("late");
    assertThat(scenario.ip("web")).isNotEmpty();
    assertThat(scenario.ip("late")).isEmpty();
  }
}
