package io.fairlead.insight.nodrop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.insight.testing.FakeSources;
import io.fairlead.work.LoopFaults;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What is noted while a pod is replaced.
class RolloutObserverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant NOW = Instant.parse("2026-11-16T10:45:00Z");
  private static final String ADDRESS = "10.244.1.7";

  private final FakeApi api = new FakeApi(List.of(ResourceType.PODS, ResourceType.ENDPOINT_SLICES));
  private final Client client = new Client(api);
  private final FakeSources nodes =
      new FakeSources(NOW).document("a", "about", "{kind: NodeAbout, node: a}");

  private ObjectNode create(ResourceType type, String yaml) {
    return client.create(type, "default", (ObjectNode) Yaml.parse(yaml));
  }

  private EndpointFate fate(RolloutObserver observer) {
    return observer.fates().getOrDefault(ADDRESS, EndpointFate.of(ADDRESS, ""));
  }

  @Test
  void whenAPodIsToldToEndAndWhenItsNodeForgetsIt() {
    create(
        ResourceType.PODS,
        "{metadata: {name: web-1, namespace: default, labels: {app: web}}, spec: {nodeName: a},"
            + " status: {podIPs: [{ip: 10.244.1.7}]}}");
    ObjectNode slice =
        create(
            ResourceType.ENDPOINT_SLICES,
            "{metadata: {name: web-x, namespace: default, labels: {kubernetes.io/service-name:"
                + " web}}, endpoints: [{addresses: [10.244.1.7], targetRef: {name: web-1},"
                + " conditions: {ready: true}}]}");
    try (RolloutObserver observer =
        new RolloutObserver(
            client,
            new ObjectKey("default", "web"),
            "app=web",
            nodes,
            "a",
            InstantSource.fixed(NOW))) {
      observer.start();
      assertThat(fate(observer)).isEqualTo(EndpointFate.of(ADDRESS, "web-1"));
      client.delete(
          ResourceType.PODS, new ObjectKey("default", "web-1"), DeleteOptions.DEFAULT.within(30));
      await().atMost(PATIENCE).until(() -> fate(observer).told().isPresent());
      assertThat(fate(observer).grace()).isEqualTo(Duration.ofSeconds(30));
      assertThat(fate(observer).withdrawn()).isEmpty();
      ((ObjectNode) ((ArrayNode) slice.path("endpoints")).get(0))
          .putObject("conditions")
          .put("ready", false);
      client.update(ResourceType.ENDPOINT_SLICES, slice);
      await().atMost(PATIENCE).until(() -> fate(observer).withdrawn().containsKey("a"));
      assertThat(observer.ready().lastEntry().getValue()).as("ready endpoints").isZero();
      // A fault that no code expects: nothing that happens meanwhile is missed.
      assertThat(LoopFaults.failOnce("nodrop-watch")).isPositive();
      client.delete(
          ResourceType.PODS, new ObjectKey("default", "web-1"), DeleteOptions.DEFAULT.within(0));
      await().atMost(PATIENCE).until(() -> fate(observer).ended().isPresent());
    }
  }
}
