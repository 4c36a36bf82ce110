package io.fairlead.controller.mirroring;

import static io.fairlead.controller.endpoints.EndpointsTestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.endpoints.EndpointsTestCluster;
import io.fairlead.controller.endpoints.EndpointsVector;
import io.fairlead.controller.golden.ClusterFixture;
import io.fairlead.controller.golden.FakeClusterFixture;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The vectors MI of the specification.
public class MirroringVectorsTest {
  private static final String NO_SELECTOR =
      "{metadata: {name: svc}, spec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}}";
  private static final String SKIP = "endpointslice.kubernetes.io/skip-mirror";

  /// Where they are played.
  protected ClusterFixture ground() {
    return new FakeClusterFixture();
  }

  protected boolean onRealServer() {
    return false;
  }

  @TestFactory
  public Stream<DynamicTest> vectors() {
    return EndpointsVector.tests(table(), onRealServer(), this::ground);
  }

  private List<EndpointsVector> table() {
    return List.of(
        new EndpointsVector("MI-1 one subset is one slice", this::oneSubset),
        new EndpointsVector("MI-2 another family is another slice", this::twoFamilies),
        new EndpointsVector("MI-3 skip-mirror=true, and only that, stops it", this::skipMirror),
        new EndpointsVector("MI-4 the Service gains a selector", this::gainsSelector),
        new EndpointsVector("MI-5 without a Service nothing is mirrored", this::noService),
        new EndpointsVector("MI-6 of 1001 addresses 1000 are mirrored", this::tooMany),
        new EndpointsVector(
            "MI-7 what is no address is skipped", this::noAddress, "it refuses such an address"),
        new EndpointsVector("MI-8 subsets are repacked first", this::repacked),
        new EndpointsVector("MI-9 annotations but two are copied, labels too", this::annotations),
        new EndpointsVector("MI-10 emptied Endpoints have no slice", this::emptied),
        new EndpointsVector("MI-11 made again, the slice gets the new owner", this::madeAgain),
        new EndpointsVector("MI-12 an election lock is not mirrored", this::electionLock),
        new EndpointsVector("MI-14 the type of the Service does not matter", this::externalName),
        new EndpointsVector("a slice deleted by hand comes back", this::sliceDeleted),
        new EndpointsVector("a slice that lost its label is replaced", this::sliceLostLabel),
        new EndpointsVector("a changed port uses the slice it had", this::recycled),
        new EndpointsVector("a restart writes nothing", this::restart));
  }

  private static List<ObjectNode> slices(EndpointsTestCluster world) {
    return world.slices().stream()
        .filter(
            slice ->
                "svc".equals(Json.text(slice, "metadata", "labels", MirroredSlice.SERVICE_NAME)))
        .toList();
  }

  private static void count(EndpointsTestCluster world, int expected) {
    eventually(() -> assertThat(slices(world)).hasSize(expected));
  }

  private static void mirrored(EndpointsTestCluster world) {
    world.create(ResourceType.SERVICES, NO_SELECTOR);
    world.byHand("svc", "10.0.0.1");
    count(world, 1);
  }

  private static JsonNode only(EndpointsTestCluster world, String field) {
    return slices(world).getFirst().path(field);
  }

  private void oneSubset(EndpointsTestCluster world) {
    world.create(ResourceType.SERVICES, NO_SELECTOR);
    ObjectNode owner =
        world.create(
            ResourceType.ENDPOINTS,
            """
            metadata: {name: svc}
            subsets:
            - addresses: [{ip: 10.0.0.2, hostname: h, nodeName: node-1}, {ip: 10.0.0.1}]
              notReadyAddresses: [{ip: 10.0.0.3}]
              ports: [{port: 80, appProtocol: http}]
            """);
    count(world, 1);
    ObjectNode slice = slices(world).getFirst();
    assertThat(Json.at(slice, "metadata", "labels"))
        .isEqualTo(
            Yaml.parse(
                """
                kubernetes.io/service-name: svc
                endpointslice.kubernetes.io/managed-by: endpointslicemirroring-controller.k8s.io
                """));
    assertThat(Json.at(slice, "metadata", "ownerReferences").path(0))
        .isEqualTo(
            Yaml.parse(
                "{apiVersion: v1, kind: Endpoints, name: svc, uid: UID, controller: true, blockOwnerDeletion: true}"
                    .replace("UID", Json.textOr(owner, "", "metadata", "uid"))));
    assertThat(slice.path("endpoints"))
        .isEqualTo(
            Yaml.parse(
                """
                - {addresses: [10.0.0.1], conditions: {ready: true}}
                - {addresses: [10.0.0.2], conditions: {ready: true}, hostname: h, nodeName: node-1}
                - {addresses: [10.0.0.3], conditions: {ready: false}}
                """));
    assertThat(slice.path("ports"))
        .isEqualTo(Yaml.parse("[{name: '', protocol: TCP, port: 80, appProtocol: http}]"));
    assertThat(Json.text(slice, "addressType")).isEqualTo("IPv4");
  }

  private void twoFamilies(EndpointsTestCluster world) {
    mirrored(world);
    world.patch(
        ResourceType.ENDPOINTS,
        "svc",
        """
        subsets:
        - {addresses: [{ip: 10.0.0.1}, {ip: 'FD00::0:1'}], ports: [{port: 80, protocol: TCP}]}
        """);
    count(world, 2);
    assertThat(slices(world))
        .extracting(slice -> Json.text(slice, "addressType"))
        .containsExactlyInAnyOrder("IPv4", "IPv6");
    assertThat(slices(world).toString()).contains("\"fd00::1\"");
  }

  private void skipMirror(EndpointsTestCluster world) {
    mirrored(world);
    world.patch(ResourceType.ENDPOINTS, "svc", "{metadata: {labels: {" + SKIP + ": 'true'}}}");
    count(world, 0);
    world.patch(ResourceType.ENDPOINTS, "svc", "{metadata: {labels: {" + SKIP + ": 'yes'}}}");
    count(world, 1);
  }

  private void gainsSelector(EndpointsTestCluster world) {
    mirrored(world);
    world.patch(ResourceType.SERVICES, "svc", "{spec: {selector: {app: svc}}}");
    count(world, 0);
    eventually(() -> assertThat(world.endpoints("svc").has("subsets")).isFalse());
    world.patch(ResourceType.SERVICES, "svc", "{spec: {selector: null}}");
    world.patch(
        ResourceType.ENDPOINTS,
        "svc",
        "{subsets: [{addresses: [{ip: 10.0.0.7}], ports: [{port: 80, protocol: TCP}]}]}");
    // Its label says that the Endpoints controller writes it, which it does no longer.
    count(world, 1);
  }

  private void noService(EndpointsTestCluster world) {
    world.settle();
    world.byHand("svc", "10.0.0.1");
    world.settle();
    assertThat(slices(world)).isEmpty();
    world.create(ResourceType.SERVICES, NO_SELECTOR);
    count(world, 1);
    world.delete(ResourceType.SERVICES, "svc");
    count(world, 0);
  }

  private void tooMany(EndpointsTestCluster world) {
    world.create(ResourceType.SERVICES, NO_SELECTOR);
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", "svc");
    ObjectNode subset = object.putArray("subsets").addObject();
    for (int i = 0; i < 1001; i++) {
      subset.withArray("addresses").addObject().put("ip", "10.1." + i / 250 + "." + i % 250);
    }
    subset.putArray("ports").addObject().put("port", 80).put("protocol", "TCP");
    world.create(ResourceType.ENDPOINTS, object);
    count(world, 1);
    assertThat(only(world, "endpoints")).hasSize(1000);
    event(
        world,
        "TooManyAddressesToMirror",
        "A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset."
            + " 1 addresses were skipped");
  }

  private void noAddress(EndpointsTestCluster world) {
    world.create(ResourceType.SERVICES, NO_SELECTOR);
    world.create(
        ResourceType.ENDPOINTS,
        "{metadata: {name: svc}, subsets: [{addresses: [{ip: not-an-ip}, {ip: 10.0.0.1}]}]}");
    count(world, 1);
    assertThat(only(world, "endpoints")).hasSize(1);
    event(
        world,
        "InvalidIPAddress",
        "Skipped 1 invalid IP addresses when mirroring to EndpointSlices");
  }

  private static void event(EndpointsTestCluster world, String reason, String message) {
    eventually(
        () ->
            assertThat(world.events())
                .anySatisfy(
                    event -> {
                      assertThat(Json.text(event, "reason")).isEqualTo(reason);
                      assertThat(Json.text(event, "message")).isEqualTo(message);
                      assertThat(Json.text(event, "type")).isEqualTo("Warning");
                      assertThat(Json.text(event, "involvedObject", "kind")).isEqualTo("Endpoints");
                      assertThat(Json.text(event, "source", "component"))
                          .isEqualTo("endpoint-slice-mirroring-controller");
                    }));
  }

  private void repacked(EndpointsTestCluster world) {
    world.create(ResourceType.SERVICES, NO_SELECTOR);
    world.create(
        ResourceType.ENDPOINTS,
        """
        metadata: {name: svc}
        subsets:
        - {addresses: [{ip: 10.0.0.1}], ports: [{name: b, port: 443, protocol: TCP}]}
        - {addresses: [{ip: 10.0.0.1}], ports: [{name: a, port: 80, protocol: TCP}]}
        """);
    count(world, 1);
    assertThat(only(world, "ports"))
        .isEqualTo(
            Yaml.parse(
                "[{name: a, protocol: TCP, port: 80}, {name: b, protocol: TCP, port: 443}]"));
  }

  private void annotations(EndpointsTestCluster world) {
    mirrored(world);
    world.patch(
        ResourceType.ENDPOINTS,
        "svc",
        """
        metadata:
          labels: {l: "1"}
          annotations:
            a: "1"
            kubectl.kubernetes.io/last-applied-configuration: "{}"
            endpoints.kubernetes.io/last-change-trigger-time: "2026-01-01T00:00:00Z"
        """);
    eventually(
        () -> {
          assertThat(Json.at(only(world, "metadata"), "annotations"))
              .isEqualTo(Yaml.parse("{a: '1'}"));
          assertThat(Json.text(only(world, "metadata"), "labels", "l")).isEqualTo("1");
        });
  }

  private void emptied(EndpointsTestCluster world) {
    mirrored(world);
    world.patch(ResourceType.ENDPOINTS, "svc", "{subsets: null}");
    count(world, 0);
    assertThat(world.hasEndpoints("svc")).isTrue();
  }

  private void madeAgain(EndpointsTestCluster world) {
    mirrored(world);
    world.delete(ResourceType.ENDPOINTS, "svc");
    world.byHand("svc", "10.0.0.1");
    String uid = Json.textOr(world.endpoints("svc"), "", "metadata", "uid");
    eventually(
        () -> {
          assertThat(slices(world)).hasSize(1);
          assertThat(only(world, "metadata").path("ownerReferences").path(0).path("uid").asString())
              .isEqualTo(uid);
        });
  }

  private void electionLock(EndpointsTestCluster world) {
    mirrored(world);
    world.patch(
        ResourceType.ENDPOINTS,
        "svc",
        "{metadata: {annotations: {control-plane.alpha.kubernetes.io/leader: '{}'}}}");
    count(world, 0);
  }

  private void externalName(EndpointsTestCluster world) {
    world.create(
        ResourceType.SERVICES,
        "{metadata: {name: svc}, spec: {type: ExternalName, externalName: db.example.net}}");
    world.byHand("svc", "10.0.0.1");
    count(world, 1);
  }

  private void sliceDeleted(EndpointsTestCluster world) {
    mirrored(world);
    String name = Json.textOr(only(world, "metadata"), "", "name");
    world.delete(ResourceType.ENDPOINT_SLICES, name);
    eventually(
        () -> {
          assertThat(slices(world)).hasSize(1);
          assertThat(Json.text(only(world, "metadata"), "name")).isNotEqualTo(name);
        });
  }

  private void sliceLostLabel(EndpointsTestCluster world) {
    mirrored(world);
    String name = Json.textOr(only(world, "metadata"), "", "name");
    world.patch(
        ResourceType.ENDPOINT_SLICES,
        name,
        "{metadata: {labels: {endpointslice.kubernetes.io/managed-by: null}}}");
    count(world, 2);
    world.patch(
        ResourceType.ENDPOINTS,
        "svc",
        "{subsets: [{addresses: [{ip: 10.0.0.9}], ports: [{port: 80, protocol: TCP}]}]}");
    eventually(() -> assertThat(slices(world).toString()).contains("10.0.0.9"));
  }

  private void recycled(EndpointsTestCluster world) {
    mirrored(world);
    String name = Json.textOr(only(world, "metadata"), "", "name");
    world.patch(
        ResourceType.ENDPOINTS,
        "svc",
        "{subsets: [{addresses: [{ip: 10.0.0.1}], ports: [{port: 81, protocol: TCP}]}]}");
    eventually(
        () -> {
          assertThat(slices(world)).hasSize(1);
          assertThat(only(world, "ports").path(0).path("port").asInt()).isEqualTo(81);
        });
    assertThat(Json.text(only(world, "metadata"), "name")).isEqualTo(name);
  }

  private void restart(EndpointsTestCluster world) {
    mirrored(world);
    world.stop();
    int mark = world.mark();
    world.restart();
    world.settle();
    String name = Json.textOr(only(world, "metadata"), "", "name");
    assertThat(world.writesSince(mark, name)).isEmpty();
    count(world, 1);
  }
}
