package io.fairlead.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ControllersTest {
  private static final ObjectKey ROOT_CA = new ObjectKey("web", "kube-root-ca.crt");

  private final ControllersTestCluster cluster = new ControllersTestCluster();

  @AfterEach
  void close() {
    cluster.close();
  }

  private void settled() {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              for (String namespace : new String[] {"default", "kube-system", "web"}) {
                assertThat(cluster.exists(ResourceType.SERVICE_ACCOUNTS, namespace, "default"))
                    .isTrue();
                assertThat(cluster.exists(ResourceType.CONFIG_MAPS, namespace, ROOT_CA.name()))
                    .isTrue();
              }
            });
  }

  @Test
  void everyNamespaceHasItsAccountAndItsCertificate() {
    cluster.namespace("web");
    settled();
    assertThat(Json.text(cluster.client.get(ResourceType.CONFIG_MAPS, ROOT_CA), "data", "ca.crt"))
        .isEqualTo("PEM");
  }

  @Test
  void whatIsDeletedComesBackAndWhatIsChangedIsPutRight() {
    cluster.namespace("web");
    settled();
    String uid = cluster.meta(ResourceType.SERVICE_ACCOUNTS, "web", "default").uid();
    cluster.client.delete(
        ResourceType.SERVICE_ACCOUNTS, new ObjectKey("web", "default"), DeleteOptions.DEFAULT);
    ObjectNode spoiled = cluster.client.get(ResourceType.CONFIG_MAPS, ROOT_CA);
    Json.child(spoiled, "data").put("ca.crt", "another");
    cluster.client.update(ResourceType.CONFIG_MAPS, spoiled);
    settled();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(
                        Json.text(
                            cluster.client.get(ResourceType.CONFIG_MAPS, ROOT_CA),
                            "data",
                            "ca.crt"))
                    .isEqualTo("PEM"));
    assertThat(cluster.meta(ResourceType.SERVICE_ACCOUNTS, "web", "default").uid())
        .isNotEqualTo(uid);
  }

  @Test
  void aRestartOnAConsistentClusterWritesNothing() {
    cluster.namespace("web");
    ObjectNode service = cluster.create(ControllersTestCluster.SERVICES, "web", "s");
    cluster.create(
        ControllersTestCluster.SLICES,
        "web",
        "s-1",
        ControllersTestCluster.owner(ControllersTestCluster.SERVICES, service));
    settled();
    cluster.stop();
    int writes = cluster.api.writes().size();
    cluster.restart();
    // The next write proves that all of them have had their look at the state before it.
    cluster.namespace("later");
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertThat(cluster.exists(ResourceType.CONFIG_MAPS, "later", ROOT_CA.name()))
                  .isTrue();
              assertThat(cluster.exists(ResourceType.SERVICE_ACCOUNTS, "later", "default"))
                  .isTrue();
            });
    assertThat(cluster.api.writes().subList(writes, cluster.api.writes().size()))
        .hasSize(3)
        .allSatisfy(
            write ->
                assertThat(write).containsAnyOf("/namespaces/later", "POST /api/v1/namespaces"));
  }

  @Test
  void closingTwiceIsFineAndQuick() {
    long before = System.nanoTime();
    cluster.stop();
    cluster.stop();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
  }
}
