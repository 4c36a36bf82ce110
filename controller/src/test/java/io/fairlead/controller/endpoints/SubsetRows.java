package io.fairlead.controller.endpoints;

import static io.fairlead.controller.endpoints.EndpointsTestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ResourceType;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What an Endpoints object shows: the vectors EP-1 to EP-11, and pods that are of no use.
final class SubsetRows {
  private static final Map<String, Integer> NO_PORTS = Map.of();
  private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

  private SubsetRows() {}

  static List<EndpointsVector> table() {
    return List.of(
        new EndpointsVector(
            "EP-1 addresses are sorted as text, labels say who writes", SubsetRows::sorted),
        new EndpointsVector("EP-2 ready and not ready in one subset", SubsetRows::notReady),
        new EndpointsVector("EP-3 a terminating pod is absent", SubsetRows::terminating),
        new EndpointsVector(
            "EP-3 but published with publishNotReadyAddresses", SubsetRows::publishAll),
        new EndpointsVector("EP-4 two ports of all pods share a subset", SubsetRows::twoPorts),
        new EndpointsVector(
            "EP-5 a named port with two numbers makes two subsets", SubsetRows::namedPort),
        new EndpointsVector("EP-6 a pod without the named port is absent", SubsetRows::noPort),
        new EndpointsVector(
            "EP-7 one number in two protocols is two ports", SubsetRows::twoProtocols),
        new EndpointsVector("EP-8 of two families only the first is shown", SubsetRows::dualStack),
        new EndpointsVector("EP-9 a headless Service is labelled", SubsetRows::headless),
        new EndpointsVector(
            "EP-9 and no longer when it has an address",
            SubsetRows::noLongerHeadless,
            "it keeps the address"),
        new EndpointsVector("EP-10 without pods the object exists", SubsetRows::noPods),
        new EndpointsVector(
            "EP-11 1001 are cut, annotated, and not written again", SubsetRows::truncated),
        new EndpointsVector(
            "an unbound pod has no nodeName and blocks nobody",
            SubsetRows::unbound,
            "it refuses to unbind"),
        new EndpointsVector(
            "a pod with an address of no use blocks nobody", SubsetRows::badAddress));
  }

  /// Waits until the object shows these subsets.
  static void subsets(EndpointsTestCluster world, String service, String yaml) {
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

  private static void sorted(EndpointsTestCluster world) {
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

  private static void notReady(EndpointsTestCluster world) {
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

  private static void terminating(EndpointsTestCluster world) {
    world.service("svc");
    world.pod("a", "svc", "10.0.0.1");
    world.pod("b", "svc", "10.0.0.2");
    subsets(world, "svc", two("10.0.0.1", "10.0.0.2"));
    world.delete(ResourceType.PODS, "b");
    subsets(world, "svc", one("10.0.0.1"));
    assertThat(Json.text(world.endpoints("svc"), "metadata", "annotations", TRIGGER)).isNull();
  }

  private static void publishAll(EndpointsTestCluster world) {
    world.service("svc");
    world.patch(ResourceType.SERVICES, "svc", "{spec: {publishNotReadyAddresses: true}}");
    world.pod("a", "svc", "10.0.0.1", false, NO_PORTS);
    world.delete(ResourceType.PODS, "a");
    subsets(world, "svc", one("10.0.0.1"));
  }

  private static void twoPorts(EndpointsTestCluster world) {
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

  private static void namedPort(EndpointsTestCluster world) {
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

  private static void namedPortService(EndpointsTestCluster world) {
    world.service("svc");
    world.patch(
        ResourceType.SERVICES,
        "svc",
        "{spec: {ports: [{name: http, port: 80, targetPort: web, protocol: TCP}]}}");
  }

  private static void noPort(EndpointsTestCluster world) {
    namedPortService(world);
    world.pod("a", "svc", "10.0.0.1", true, Map.of("other", 9090));
    world.pod("b", "svc", "10.0.0.2", true, Map.of("web", 8080));
    subsets(world, "svc", one("10.0.0.2"));
  }

  private static void twoProtocols(EndpointsTestCluster world) {
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

  private static void dualStack(EndpointsTestCluster world) {
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

  private static void headless(EndpointsTestCluster world) {
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

  private static void noLongerHeadless(EndpointsTestCluster world) {
    headless(world);
    world.patch(ResourceType.SERVICES, "svc", "{spec: {clusterIP: 10.96.0.9}}");
    eventually(
        () ->
            assertThat(
                    Json.at(world.endpoints("svc"), "metadata", "labels")
                        .has("service.kubernetes.io/headless"))
                .isFalse());
  }

  private static void noPods(EndpointsTestCluster world) {
    ObjectNode service = world.service("svc");
    eventually(() -> assertThat(world.hasEndpoints("svc")).isTrue());
    ObjectNode object = world.endpoints("svc");
    assertThat(object.has("subsets")).isFalse();
    assertThat(Json.text(object, "metadata", "annotations", TRIGGER))
        .isEqualTo(Json.text(service, "metadata", "creationTimestamp"));
  }

  private static void truncated(EndpointsTestCluster world) {
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

  private static void unbound(EndpointsTestCluster world) {
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

  private static void badAddress(EndpointsTestCluster world) {
    world.service("svc");
    world.pod("loop", "svc", "127.0.0.1");
    world.pod("link", "svc", "169.254.1.1");
    world.pod("many", "svc", "239.1.2.3");
    world.pod("none", "svc", "0.0.0.0");
    world.pod("good", "svc", "10.0.0.1");
    subsets(world, "svc", one("10.0.0.1"));
    assertThat(world.events()).isEmpty();
  }

  /// One subset of one address.
  static String one(String ip) {
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
