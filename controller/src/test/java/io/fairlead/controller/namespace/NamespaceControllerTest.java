package io.fairlead.controller.namespace;

import static io.fairlead.controller.ControllersTestCluster.POLICIES;
import static io.fairlead.controller.ControllersTestCluster.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.ControllersTestCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class NamespaceControllerTest {
  private static final ObjectKey WEB = new ObjectKey("", "web");

  private final ControllersTestCluster cluster = new ControllersTestCluster();

  @BeforeEach
  void namespace() {
    cluster.namespace("web");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void deleteNamespace() {
    cluster.client.delete(ResourceType.NAMESPACES, WEB, DeleteOptions.DEFAULT);
  }

  private String condition(String type, String field) {
    JsonNode namespace = cluster.client.get(ResourceType.NAMESPACES, WEB);
    for (JsonNode condition : Json.at(namespace, "status", "conditions")) {
      if (type.equals(Json.text(condition, "type"))) {
        return Json.textOr(condition, "", field);
      }
    }
    return "absent";
  }

  private ObjectNode runningPod() {
    ObjectNode pod = Json.object();
    pod.putObject("metadata").put("name", "p");
    pod.putObject("spec").put("nodeName", "n").put("terminationGracePeriodSeconds", 30);
    return pod;
  }

  @Test
  void ns1PodsGoFirstThenTheRestThenTheNamespace() {
    cluster.client.create(ResourceType.PODS, "web", runningPod());
    cluster.create(SERVICES, "web", "s");
    cluster.create(POLICIES, "web", "n");
    deleteNamespace();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(condition("NamespaceContentRemaining", "message"))
                    .isEqualTo("Some resources are remaining: pods. has 1 resource instances"));
    assertThat(cluster.exists(POLICIES, "web", "n")).isTrue();
    assertThat(cluster.exists(SERVICES, "web", "s")).isTrue();
    cluster.client.delete(
        ResourceType.PODS, new ObjectKey("web", "p"), DeleteOptions.DEFAULT.within(0));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !cluster.exists(ResourceType.NAMESPACES, "", "web"));
    assertThat(cluster.exists(POLICIES, "web", "n")).isFalse();
    assertThat(cluster.exists(SERVICES, "web", "s")).isFalse();
    assertThat(cluster.exists(ResourceType.SERVICE_ACCOUNTS, "web", "default")).isFalse();
  }

  @Test
  void ns2NothingNewGetsIn() {
    cluster.finalizers(ResourceType.NAMESPACES, "", "web", "example.com/hold");
    deleteNamespace();
    ApiException refused =
        catchThrowableOfType(ApiException.class, () -> cluster.create(SERVICES, "web", "late"));
    assertThat(ApiErrors.isNamespaceTerminating(refused)).isTrue();
  }

  @Test
  void whatHasAFinalizerIsWaitedForAndNamed() {
    cluster.create(SERVICES, "web", "s");
    cluster.finalizers(SERVICES, "web", "s", "example.com/hold");
    deleteNamespace();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(condition("NamespaceFinalizersRemaining", "message"))
                    .isEqualTo(
                        "Some content in the namespace has finalizers remaining:"
                            + " example.com/hold in 1 resource instances"));
    assertThat(condition("NamespaceFinalizersRemaining", "status")).isEqualTo("True");
    assertThat(condition("NamespaceDeletionDiscoveryFailure", "status")).isEqualTo("False");
    cluster.finalizers(SERVICES, "web", "s");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !cluster.exists(ResourceType.NAMESPACES, "", "web"));
  }

  @Test
  void aDeletionBegunWhileNobodyWatchedIsFinished() {
    cluster.stop();
    cluster.create(SERVICES, "web", "s");
    deleteNamespace();
    assertThat(cluster.exists(ResourceType.NAMESPACES, "", "web")).isTrue();
    cluster.restart();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !cluster.exists(ResourceType.NAMESPACES, "", "web"));
  }

  @Test
  void aFailedDiscoveryKeepsTheNamespace() {
    RemainingContent findings = new RemainingContent();
    findings.discoveryFailed("metrics.k8s.io/v1: unavailable");
    assertThat(findings.empty()).isFalse();
    ObjectNode status = Json.object();
    assertThat(NamespaceConditions.apply(status, findings, "2026-01-01T00:00:00Z")).isTrue();
    assertThat(status.path("conditions").get(0).path("reason").stringValue())
        .isEqualTo("DiscoveryFailed");
    assertThat(NamespaceConditions.apply(status, findings, "2026-01-01T00:00:09Z"))
        .as("the same again changes nothing")
        .isFalse();
  }
}
