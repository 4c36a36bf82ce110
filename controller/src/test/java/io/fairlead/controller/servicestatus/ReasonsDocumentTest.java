package io.fairlead.controller.servicestatus;

import static io.fairlead.controller.endpoints.EndpointsTestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.endpoints.EndpointsTestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The reasons as they are told.
class ReasonsDocumentTest {
  private final EndpointsTestCluster world = new EndpointsTestCluster();

  @AfterEach
  void close() {
    world.close();
  }

  private static List<String> told(JsonNode document) {
    List<String> told = new ArrayList<>();
    for (JsonNode pod : document.path("items").path(0).path("pods")) {
      List<String> codes = new ArrayList<>();
      pod.path("reasons").forEach(reason -> codes.add(Json.textOr(reason, "", "code")));
      told.add(Json.textOr(pod, "", "name") + " " + codes);
    }
    return told;
  }

  @Test
  void everyPodThatIsNoReadyEndpointHasItsReason() {
    world.create(ResourceType.NODES, "{metadata: {name: node-a1}}");
    world.service("svc");
    world.pod("good", "svc", "10.0.0.1");
    world.pod("hurt", "svc", "10.0.0.2", false, Map.of());
    world.pod("leaving", "svc", "10.0.0.3");
    world.delete(ResourceType.PODS, "leaving");
    world.pod("mistyped", "svcc", "10.0.0.4");
    world.pod("six", "svc", "fd00::1");
    eventually(
        () ->
            assertThat(told(world.reasons("svc")))
                .containsExactly(
                    "hurt [NodeLost, NotReady]",
                    "leaving [Terminating]",
                    "mistyped [NearlySelected]",
                    "six [OtherFamily]"));
    JsonNode item = world.reasons("svc").path("items").path(0);
    assertThat(item.path("selected").asInt()).isEqualTo(4);
    assertThat(item.path("ready").asInt()).isEqualTo(1);
    assertThat(world.reasons("").toString()).doesNotContain("NearlySelected").contains("NotReady");
  }

  @Test
  void aServiceThatIsNotThereIsNotFound() {
    eventually(() -> assertThat(world.reasons("").path("items").isEmpty()).isTrue());
    assertThatThrownBy(() -> world.reasons("nosuch"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("services \"nosuch\" not found");
  }
}
