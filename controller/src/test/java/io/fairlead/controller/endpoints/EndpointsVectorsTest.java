package io.fairlead.controller.endpoints;

import static io.fairlead.controller.endpoints.World.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.ground.FakeGround;
import io.fairlead.controller.ground.Ground;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The vectors EP of the specification. Those about numbers of addresses are in [SubsetsTest].
public class EndpointsVectorsTest {
  private static final Map<String, Integer> NO_PORTS = Map.of();
  private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

  /// Where they are played.
  protected Ground ground() {
    return new FakeGround();
  }

  protected boolean onRealServer() {
    return false;
  }

  @TestFactory
  public Stream<DynamicTest> vectors() {
    return Vector.tests(table(), onRealServer(), this::ground);
  }

  private List<Vector> table() {
    return List.of(
        new Vector("EP-1 addresses are sorted as text, labels say who writes", this::sorted),
        new Vector("EP-2 ready and not ready in one subset", this::notReady),
        new Vector("EP-3 a terminating pod is absent", this::terminating),
        new Vector("EP-3 but published with publishNotReadyAddresses", this::publishAll),
        new Vector("EP-4 two ports of all pods share a subset", this::twoPorts),
        new Vector("EP-5 a named port with two numbers makes two subsets", this::namedPort),
        new Vector("EP-6 a pod without the named port is absent", this::noPort),
        new Vector("EP-7 one number in two protocols is two ports", this::twoProtocols),
        new Vector("EP-8 of two families only the first is shown", this::dualStack),
        new Vector("EP-9 a headless Service is labelled", this::headless),
        new Vector(
            "EP-9 and no longer when it has an address",
            this::noLongerHeadless,
            "it keeps the address"),
        new Vector("EP-10 without pods the object exists", this::noPods),
        new Vector("EP-11 1001 are cut, annotated, and not written again", this::truncated),
        new Vector("EP-16 the object goes with its Service", this::serviceDeleted),
        new Vector("EP-17 leftovers go at the start, but not locks", this::leftovers),
        new Vector("EP-17 Endpoints without a Service stay while running", this::lonely),
        new Vector("EP-18 a pod that changes in nothing that matters", this::irrelevant),
        new Vector("EP-19 without selector nothing is written", this::noSelector),
        new Vector("EP-20 deleted by somebody, it comes back", this::deletedByHand),
        new Vector(
            "an unbound pod has no nodeName and blocks nobody",
            this::unbound,
            "it refuses to unbind"),
        new Vector("a pod with an address of no use blocks nobody", this::badAddress),
        new Vector("what others put on the object stays", this::foreignParts),
        new Vector("a restart writes nothing", this::restart));
  }

  private static void subsets(World world, String service, String yaml) {
    JsonNode expected = Yaml.parse(yaml);
    eventually(
        () -> {
          JsonNode shown = shorter(world.endpoints(service).path("subsets"));
          assertThat(shown).isEqualTo(expected);
        });
  }

  /// Without references and nodes, which most rows are not about.
  private static JsonNode shorter(JsonNode subsets) {
    JsonNode copy = subsets.isMissingNode() ? Json.array() : subsets.deepCopy();
    for (JsonNode subset : copy) {
      for (String list : List.of("addresses", "notReadyAddresses")) {
        for (JsonNode address : subset.path(list)) {
          ((ObjectNode) address).remove(List.of("targetRef", "nodeName"));
        }
      }
    }
    return copy;
  }

  private void sorted(World world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.2");
    world.pod("b", "svc", "10.0.0.10");
    subsets(
        world,
        "svc",
        """
        - addresses: [{ip: 10.0.0.10}, {ip: 10.0.0.2}]
          ports: [{name: http, port: 8080, protocol: TCP}]
        """);
    ObjectNode object = world.endpoints("svc");
    assertThat(Json.at(object, "metadata", "labels"))
        .isEqualTo(Yaml.parse("endpoints.kubernetes.io/managed-by: endpoint-controller"));
    JsonNode first = Json.at(object, "subsets").path(0).path("addresses").path(0);
    assertThat(Json.text(first, "nodeName")).isEqualTo("node-a1");
    assertThat(Json.text(first, "targetRef", "name")).isEqualTo("b");
    assertThat(first.path("targetRef").has("resourceVersion")).isFalse();
  }

  private void notReady(World world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.1");
    world.pod("b", "svc", "10.0.0.2", false, NO_PORTS);
    subsets(
        world,
        "svc",
        """
        - addresses: [{ip: 10.0.0.1}]
          notReadyAddresses: [{ip: 10.0.0.2}]
          ports: [{name: http, port: 8080, protocol: TCP}]
        """);
  }

  private void terminating(World world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.1");
    world.pod("b", "svc", "10.0.0.2");
    subsets(world, "svc", two("10.0.0.1", "10.0.0.2"));
    world.delete(ResourceType.PODS, "b");
    subsets(world, "svc", one("10.0.0.1"));
    assertThat(Json.text(world.endpoints("svc"), "metadata", "annotations", TRIGGER)).isNull();
  }

  private void publishAll(World world) {
    world.service("svc");
    world.patch(ResourceType.SERVICES, "svc", "{spec: {publishNotReadyAddresses: true}}");
    world.pod("a", "svc", "10.0.0.1", false, NO_PORTS);
    world.delete(ResourceType.PODS, "a");
    subsets(world, "svc", one("10.0.0.1"));
  }

  private void twoPorts(World world) {
    world.service("svc");
    world.patch(
        ResourceType.SERVICES,
        "svc",
        """
        spec:
          ports:
          - {name: https, port: 443, targetPort: 8443, protocol: TCP}
          - {name: http, port: 80, targetPort: 8080, protocol: TCP, appProtocol: h2c}
        """);
    world.pod("a", "svc", "10.0.0.1");
    subsets(
        world,
        "svc",
        """
        - addresses: [{ip: 10.0.0.1}]
          ports:
          - {name: http, port: 8080, protocol: TCP, appProtocol: h2c}
          - {name: https, port: 8443, protocol: TCP}
        """);
  }

  private void namedPort(World world) {
    namedPortService(world);
    world.pod("a", "svc", "10.0.0.1", true, Map.of("web", 9090));
    world.pod("b", "svc", "10.0.0.2", true, Map.of("web", 8080));
    subsets(
        world,
        "svc",
        """
        - {addresses: [{ip: 10.0.0.2}], ports: [{name: http, port: 8080, protocol: TCP}]}
        - {addresses: [{ip: 10.0.0.1}], ports: [{name: http, port: 9090, protocol: TCP}]}
        """);
  }

  private static void namedPortService(World world) {
    world.service("svc");
    world.patch(
        ResourceType.SERVICES,
        "svc",
        "{spec: {ports: [{name: http, port: 80, targetPort: web, protocol: TCP}]}}");
  }

  private void noPort(World world) {
    namedPortService(world);
    world.pod("a", "svc", "10.0.0.1", true, Map.of("other", 9090));
    world.pod("b", "svc", "10.0.0.2", true, Map.of("web", 8080));
    subsets(world, "svc", one("10.0.0.2"));
  }

  private void twoProtocols(World world) {
    world.service("svc");
    world.patch(
        ResourceType.SERVICES,
        "svc",
        """
        spec:
          ports:
          - {name: u, port: 53, targetPort: 5353, protocol: UDP}
          - {name: t, port: 53, targetPort: 5353, protocol: TCP}
        """);
    world.pod("a", "svc", "10.0.0.1");
    subsets(
        world,
        "svc",
        """
        - addresses: [{ip: 10.0.0.1}]
          ports: [{name: t, port: 5353, protocol: TCP}, {name: u, port: 5353, protocol: UDP}]
        """);
  }

  private void dualStack(World world) {
    world.create(
        ResourceType.SERVICES,
        """
        metadata: {name: svc}
        spec:
          clusterIP: fd00:10:96::1
          ipFamilyPolicy: RequireDualStack
          ipFamilies: [IPv6, IPv4]
          selector: {app: svc}
          ports: [{name: http, port: 80, targetPort: 8080, protocol: TCP}]
        """);
    world.pod("both", "svc", "10.0.0.1,FD00:0::0001");
    world.pod("four", "svc", "10.0.0.2");
    subsets(world, "svc", one("'fd00::1'"));
  }

  private void headless(World world) {
    world.create(
        ResourceType.SERVICES,
        """
        metadata: {name: svc, labels: {team: a}}
        spec: {clusterIP: None, ipFamilies: [IPv4], selector: {app: svc}}
        """);
    world.pod("a", "svc", "10.0.0.1");
    subsets(world, "svc", "[{addresses: [{ip: 10.0.0.1}]}]");
    assertThat(Json.at(world.endpoints("svc"), "metadata", "labels"))
        .isEqualTo(
            Yaml.parse(
                """
                team: a
                endpoints.kubernetes.io/managed-by: endpoint-controller
                service.kubernetes.io/headless: ""
                """));
  }

  private void noLongerHeadless(World world) {
    headless(world);
    world.patch(ResourceType.SERVICES, "svc", "{spec: {clusterIP: 10.96.0.9}}");
    eventually(
        () ->
            assertThat(
                    Json.at(world.endpoints("svc"), "metadata", "labels")
                        .has("service.kubernetes.io/headless"))
                .isFalse());
  }

  private void noPods(World world) {
    ObjectNode service = world.service("svc");
    eventually(() -> assertThat(world.hasEndpoints("svc")).isTrue());
    ObjectNode object = world.endpoints("svc");
    assertThat(object.has("subsets")).isFalse();
    assertThat(Json.text(object, "metadata", "annotations", TRIGGER))
        .isEqualTo(Json.text(service, "metadata", "creationTimestamp"));
  }

  private void truncated(World world) {
    world.stop();
    for (int i = 0; i < 1001; i++) {
      world.pod("p-" + i, "svc", "10.1." + i / 250 + "." + i % 250);
    }
    world.restart();
    world.service("svc");
    String annotation = "endpoints.kubernetes.io/over-capacity";
    eventually(
        () ->
            assertThat(Json.text(world.endpoints("svc"), "metadata", "annotations", annotation))
                .isEqualTo("truncated"));
    assertThat(world.endpoints("svc").path("subsets").path(0).path("addresses")).hasSize(1000);
    int mark = world.mark();
    world.patch(ResourceType.SERVICES, "svc", "{metadata: {annotations: {another: look}}}");
    world.settle();
    assertThat(world.writesSince(mark, "svc")).isEmpty();
    world.delete(ResourceType.PODS, "p-0");
    eventually(
        () ->
            assertThat(Json.text(world.endpoints("svc"), "metadata", "annotations", annotation))
                .isNull());
    assertThat(world.endpoints("svc").path("subsets").path(0).path("addresses")).hasSize(1000);
  }

  private void serviceDeleted(World world) {
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

  private void leftovers(World world) {
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

  private void lonely(World world) {
    world.settle();
    world.byHand("lonely", "10.0.0.1");
    world.settle();
    assertThat(world.hasEndpoints("lonely")).isTrue();
  }

  private void irrelevant(World world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.1");
    subsets(world, "svc", one("10.0.0.1"));
    world.settle();
    int mark = world.mark();
    world.patch(ResourceType.PODS, "a", "{metadata: {annotations: {some: thing}}}");
    world.settle();
    assertThat(world.writesSince(mark, "svc")).isEmpty();
  }

  private void noSelector(World world) {
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

  private void deletedByHand(World world) {
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

  private void unbound(World world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.1");
    world.patch(ResourceType.PODS, "a", "{spec: {nodeName: null}}");
    eventually(
        () -> {
          JsonNode addresses = world.endpoints("svc").path("subsets").path(0).path("addresses");
          assertThat(addresses).hasSize(1);
          assertThat(addresses.path(0).has("nodeName")).isFalse();
        });
  }

  private void badAddress(World world) {
    world.service("svc");
    world.pod("loop", "svc", "127.0.0.1");
    world.pod("link", "svc", "169.254.1.1");
    world.pod("many", "svc", "239.1.2.3");
    world.pod("none", "svc", "0.0.0.0");
    world.pod("good", "svc", "10.0.0.1");
    subsets(world, "svc", one("10.0.0.1"));
    assertThat(world.events()).isEmpty();
  }

  private void foreignParts(World world) {
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

  private void restart(World world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.1");
    subsets(world, "svc", one("10.0.0.1"));
    world.stop();
    int mark = world.mark();
    world.restart();
    world.settle();
    assertThat(world.writesSince(mark, "svc")).isEmpty();
  }

  private static String one(String ip) {
    return "[{addresses: [{ip: IP}], ports: [{name: http, port: 8080, protocol: TCP}]}]"
        .replace("IP", ip);
  }

  private static String two(String first, String second) {
    return """
    - addresses: [{ip: ONE}, {ip: TWO}]
      ports: [{name: http, port: 8080, protocol: TCP}]
    """
        .replace("ONE", first)
        .replace("TWO", second);
  }
}
