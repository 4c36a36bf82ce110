package io.fairlead.controller.loadbalancer;

import static io.fairlead.client.ResourceType.CONFIG_MAPS;
import static io.fairlead.client.ResourceType.NODES;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// A node says that addresses of a pool are its own, or its pods', where the API server does not
/// keep it from that. It must not end the announcement of the others.
class ContestedAddressTest {
  private static final String A = "192.168.77.240";
  private static final String B = "192.168.77.241";
  private static final String C = "192.168.77.242";
  private static final String POOLS =
      "pools: [{name: lan, addresses: [192.168.77.240-192.168.77.242]}]";

  private static void says(LoadBalancerScenario it, String address, String podRange) {
    it.cluster.create(
        NODES,
        """
        metadata: {name: liar}
        spec: {podCIDRs: [%s]}
        status: {addresses: [{type: InternalIP, address: %s}]}
        """
            .formatted(podRange, address));
  }

  @Test
  void aPoolInForceStaysAndTheAddressIsNotGivenOut() {
    try (LoadBalancerScenario it = LoadBalancerScenario.with().start()) {
      it.pools(POOLS);
      it.service("first");
      assertThat(it.ip("first")).isEqualTo(A);
      says(it, B, "10.244.1.0/24");
      it.cluster.settle();
      it.told(
          "AddressContested",
          "pool lan: " + B + " came later and belongs to node liar: no other Service gets it");
      assertThat(it.published()).contains("lan");
      it.service("second");
      assertThat(it.ip("second")).isEqualTo(C);
      it.service("third");
      assertThat(it.ip("third")).isEmpty();
      it.service("exact", "loadBalancerIP: " + B);
      assertThat(it.ip("exact")).isEmpty();
      it.told("SyncLoadBalancerFailed", B + " belongs to node liar (FL406)");
      it.cluster.client.delete(NODES, new ObjectKey("", "liar"), DeleteOptions.DEFAULT);
      it.cluster.settle();
      assertThat(it.ip("exact")).isEqualTo(B);
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {A, "192.168.77.250"})
  void whatAServiceHasItKeeps(String address) {
    try (LoadBalancerScenario it = LoadBalancerScenario.standard()) {
      it.service("first");
      says(it, address, "192.168.77.0/24");
      it.cluster.settle();
      assertThat(it.ip("first")).isEqualTo(A);
      assertThat(it.published()).contains("lan");
      it.service("second");
      assertThat(it.ip("second")).isEmpty();
    }
  }

  @Test
  void alsoWhenTheControllerStartsAfterwards() {
    for (boolean published : new boolean[] {true, false}) {
      try (LoadBalancerScenario it = LoadBalancerScenario.with(LoadBalancerScenario.LAN)) {
        if (published) {
          it.cluster.client.create(
              CONFIG_MAPS,
              LoadBalancerPools.PUBLISHED_NAMESPACE,
              (ObjectNode)
                  Yaml.parse(
                      "{metadata: {name: %s}, data: {%s: '%s'}}"
                          .formatted(
                              LoadBalancerPools.PUBLISHED_NAME,
                              LoadBalancerPools.PUBLISHED_FILE,
                              POOLS)));
        }
        says(it, B, "10.244.1.0/24");
        it.start();
        it.service("web");
        // A pool that was never in force is refused: it has an address of a node.
        assertThat(it.ip("web")).isEqualTo(published ? A : "");
      }
    }
  }

  @Test
  void aPoolThatGrowsToTheAddressOfANodeIsRefused() {
    try (LoadBalancerScenario it = LoadBalancerScenario.with().start()) {
      says(it, "192.168.77.9", "10.244.1.0/24");
      it.pools(POOLS);
      it.service("web");
      assertThat(it.ip("web")).isEqualTo(A);
      it.pools("pools: [{name: lan, addresses: [192.168.77.0/24]}]");
      it.told(
          "PoolRefused",
          "pool lan: 192.168.77.0-192.168.77.255 contains 192.168.77.9 of node liar");
      assertThat(it.ip("web")).isEqualTo(A);
    }
  }

  @Test
  void addressesAreGivenOutWhereThePoolsMayNotBePublished() {
    try (LoadBalancerScenario it = LoadBalancerScenario.with(LoadBalancerScenario.LAN)) {
      it.cluster.api.intercept(
          request -> {
            if (request.path().contains("/kube-public/configmaps")) {
              throw ApiException.forbidden("", "configmaps", "fairlead-load-balancer", "no");
            }
          });
      it.start();
      it.service("first");
      assertThat(it.ip("first")).isEqualTo(A);
      says(it, B, "10.244.1.0/24");
      it.cluster.settle();
      it.service("second");
      assertThat(it.ip("second")).isEqualTo(C);
    }
  }
}
