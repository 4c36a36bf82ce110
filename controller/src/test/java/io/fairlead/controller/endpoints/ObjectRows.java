package io.fairlead.controller.endpoints;

import static io.fairlead.controller.endpoints.EndpointsTestCluster.eventually;
import static io.fairlead.controller.endpoints.SubsetRows.one;
import static io.fairlead.controller.endpoints.SubsetRows.subsets;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.ResourceType;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// When an Endpoints object is written, left alone and taken away: the vectors from EP-16.
final class ObjectRows {
  private ObjectRows() {}

  static List<EndpointsVector> table() {
    return List.of(
        new EndpointsVector("EP-16 the object goes with its Service", ObjectRows::serviceDeleted),
        new EndpointsVector(
            "EP-17 leftovers go at the start, but not locks", ObjectRows::leftovers),
        new EndpointsVector(
            "EP-17 Endpoints without a Service stay while running", ObjectRows::lonely),
        new EndpointsVector(
            "EP-18 a pod that changes in nothing that matters", ObjectRows::irrelevant),
        new EndpointsVector("EP-19 without selector nothing is written", ObjectRows::noSelector),
        new EndpointsVector("EP-20 deleted by somebody, it comes back", ObjectRows::deletedByHand),
        new EndpointsVector("what others put on the object stays", ObjectRows::foreignParts),
        new EndpointsVector("a restart writes nothing", ObjectRows::restart));
  }

  private static void serviceDeleted(EndpointsTestCluster world) {
    world.service("svc");
    eventually(() -> assertThat(world.hasEndpoints("svc")).isTrue());
    world.delete(ResourceType.SERVICES, "svc");
    eventually(() -> assertThat(world.hasEndpoints("svc")).isFalse());
    // Gone already when the controller comes to it: no failure that stops others.
    world.service("two");
    eventually(() -> assertThat(world.hasEndpoints("two")).isTrue());
    world.stop();
    world.delete(ResourceType.ENDPOINTS, "two");
    world.delete(ResourceType.SERVICES, "two");
    world.restart();
    world.settle();
    assertThat(world.events()).isEmpty();
  }

  private static void leftovers(EndpointsTestCluster world) {
    world.stop();
    world.byHand("left", "10.0.0.1");
    world.create(
        ResourceType.ENDPOINTS,
        "{metadata: {name: lock, annotations: {control-plane.alpha.kubernetes.io/leader: '{}'}}}");
    world.restart();
    eventually(() -> assertThat(world.hasEndpoints("left")).isFalse());
    world.settle();
    assertThat(world.hasEndpoints("lock")).isTrue();
  }

  private static void lonely(EndpointsTestCluster world) {
    world.settle();
    world.byHand("lonely", "10.0.0.1");
    world.settle();
    assertThat(world.hasEndpoints("lonely")).isTrue();
  }

  private static void irrelevant(EndpointsTestCluster world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.1");
    subsets(world, "svc", one("10.0.0.1"));
    world.settle();
    int mark = world.mark();
    world.patch(ResourceType.PODS, "a", "{metadata: {annotations: {some: thing}}}");
    world.settle();
    assertThat(world.writesSince(mark, "svc")).isEmpty();
  }

  private static void noSelector(EndpointsTestCluster world) {
    world.create(
        ResourceType.SERVICES,
        "{metadata: {name: svc}, spec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}}");
    world.create(
        ResourceType.SERVICES,
        "{metadata: {name: ext}, spec: {type: ExternalName, externalName: db.example.net, selector: {app: ext}}}");
    world.byHand("svc", "10.0.0.1");
    world.byHand("ext", "10.0.0.1");
    world.pod("a", "ext", "10.0.0.2");
    int mark = world.mark();
    world.settle();
    assertThat(world.writesSince(mark, "svc")).isEmpty();
    assertThat(world.writesSince(mark, "ext")).isEmpty();
    assertThat(world.hasEndpoints("svc")).isTrue();
  }

  private static void deletedByHand(EndpointsTestCluster world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.1");
    subsets(world, "svc", one("10.0.0.1"));
    String uid = Json.textOr(world.endpoints("svc"), "", "metadata", "uid");
    world.delete(ResourceType.ENDPOINTS, "svc");
    eventually(
        () -> {
          assertThat(world.hasEndpoints("svc")).isTrue();
          assertThat(Json.text(world.endpoints("svc"), "metadata", "uid")).isNotEqualTo(uid);
        });
    subsets(world, "svc", one("10.0.0.1"));
  }

  private static void foreignParts(EndpointsTestCluster world) {
    world.service("svc");
    eventually(() -> assertThat(world.hasEndpoints("svc")).isTrue());
    world.patch(
        ResourceType.ENDPOINTS,
        "svc",
        "{metadata: {annotations: {mine: x}, finalizers: [example.com/keep]}}");
    world.pod("a", "svc", "10.0.0.1");
    subsets(world, "svc", one("10.0.0.1"));
    ObjectNode object = world.endpoints("svc");
    assertThat(Json.text(object, "metadata", "annotations", "mine")).isEqualTo("x");
    assertThat(Json.at(object, "metadata", "finalizers").path(0).asString())
        .isEqualTo("example.com/keep");
  }

  private static void restart(EndpointsTestCluster world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.1");
    subsets(world, "svc", one("10.0.0.1"));
    world.stop();
    int mark = world.mark();
    world.restart();
    world.settle();
    assertThat(world.writesSince(mark, "svc")).isEmpty();
  }
}
