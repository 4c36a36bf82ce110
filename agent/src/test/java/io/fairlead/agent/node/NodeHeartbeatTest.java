package io.fairlead.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A node's word that it lives, on a clock that is moved by hand.
class NodeHeartbeatTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectKey NODE = new ObjectKey("", "node-a");
  private static final ObjectKey LEASE = new ObjectKey("kube-node-lease", "node-a");

  private final Client client =
      new Client(
          new FakeApi(List.of(ResourceType.NODES, ResourceType.LEASES, ResourceType.NAMESPACES)));
  // Guarded by this.
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @BeforeEach
  void namespace() {
    client.create(
        ResourceType.NAMESPACES, "", (ObjectNode) Yaml.parse("metadata: {name: kube-node-lease}"));
  }

  @AfterEach
  void close() {
    client.close();
  }

  private synchronized Instant now() {
    return now;
  }

  private synchronized void pass(Duration time) {
    now = now.plus(time);
    notifyAll();
  }

  private synchronized void pause(Duration time) throws InterruptedException {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      wait();
    }
  }

  private static NodeIdentity identity(String range) {
    return new NodeIdentity(
        "node-a",
        List.of("192.0.2.1"),
        List.of(Cidr.parse(range)),
        Map.of(),
        "fairlead-builtin://1",
        "v1.34.0",
        110,
        0,
        "");
  }

  private NodeHeartbeat begin() throws InterruptedException {
    NodeHeartbeat keeper = new NodeHeartbeat(client, this::now, this::pause, Path.of("/"));
    assertThat(keeper.register(identity("10.244.1.0/24")))
        .containsExactly(Cidr.parse("10.244.1.0/24"));
    keeper.start(identity("10.244.1.0/24"), Optional::empty);
    return keeper;
  }

  private String ready() {
    for (JsonNode condition :
        Json.at(client.get(ResourceType.NODES, NODE), "status", "conditions")) {
      if (Json.textOr(condition, "", "type").equals("Ready")) {
        return Json.textOr(condition, "", "status");
      }
    }
    return "";
  }

  private Instant renewed() {
    return client
        .find(ResourceType.LEASES, LEASE)
        .map(lease -> Instant.parse(Json.textOr(lease, "", "spec", "renewTime")))
        .orElse(Instant.EPOCH);
  }

  @Test
  void aLeaseIsRenewedEveryTenSeconds() throws InterruptedException {
    Instant start = now();
    try (NodeHeartbeat keeper = begin()) {
      await().atMost(PATIENCE).until(() -> renewed().equals(start) && ready().equals("True"));
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                pass(Duration.ofSeconds(1));
                return renewed().isAfter(start);
              });
      assertThat(renewed()).isAfterOrEqualTo(start.plusSeconds(10));
      assertThat(keeper.uid()).isNotEmpty();
      assertThat(client.get(ResourceType.LEASES, LEASE).path("spec").path("leaseDurationSeconds"))
          .hasToString("40");
    }
  }

  /// What the controller does meanwhile is NL-1.
  @Test
  void n74ANodeThatFellSilentSaysThatItIsBack() throws InterruptedException {
    Instant start = now();
    try (NodeHeartbeat _ = begin()) {
      await().atMost(PATIENCE).until(() -> renewed().equals(start) && ready().equals("True"));
    }
    pass(Duration.ofSeconds(55));
    assertThat(renewed()).as("nobody renews it").isEqualTo(start);
    client.patch(
        ResourceType.NODES,
        NODE,
        "status",
        PatchType.STRATEGIC,
        (ObjectNode)
            Yaml.parse(
                "status: {conditions: [{type: Ready, status: Unknown, reason: NodeStatusUnknown}]}"));
    assertThat(ready()).isEqualTo("Unknown");
    try (NodeHeartbeat _ = begin()) {
      await()
          .atMost(PATIENCE)
          .until(() -> renewed().equals(start.plusSeconds(55)) && ready().equals("True"));
    }
    assertThat(Json.textOr(client.get(ResourceType.NODES, NODE), "", "spec", "podCIDR"))
        .isEqualTo("10.244.1.0/24");
  }

  @Test
  void resourcesThatOthersAnnounceAreAllocatable() throws InterruptedException {
    try (NodeHeartbeat _ = begin()) {
      await().atMost(PATIENCE).until(() -> ready().equals("True"));
      announce("\"5\"");
      await().atMost(PATIENCE).until(() -> passedUntilAllocatable("5"));
      announce("null");
      await().atMost(PATIENCE).until(() -> passedUntilAllocatable(""));
    }
  }

  private void announce(String amount) {
    client.patch(
        ResourceType.NODES,
        NODE,
        "status",
        PatchType.STRATEGIC,
        (ObjectNode) Yaml.parse("status: {capacity: {example.com/device: %s}}".formatted(amount)));
  }

  private boolean passedUntilAllocatable(String amount) {
    pass(Duration.ofSeconds(1));
    ObjectNode node = client.get(ResourceType.NODES, NODE);
    return Json.textOr(node, "", "status", "allocatable", "example.com/device").equals(amount);
  }

  @Test
  void anotherRangeThanTheNodeHasIsRefused() throws InterruptedException {
    begin().close();
    try (NodeHeartbeat keeper = new NodeHeartbeat(client, this::now, this::pause, Path.of("/"))) {
      assertThatThrownBy(() -> keeper.register(identity("10.244.2.0/24")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cannot change to [10.244.2.0/24]");
    }
  }
}
