package io.fairlead.proxy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.proxy.conntrack.ConntrackTable.Socket;
import io.fairlead.proxy.conntrack.ConntrackTable.UdpFlow;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The proxy as a whole, over an API in memory and iptables in memory.
class ProxyTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-a, labels: {topology.kubernetes.io/zone: z1}}
      status: {addresses: [{type: InternalIP, address: 192.0.2.10}]}
      """;

  private TestProxy test;

  @BeforeEach
  void make() {
    test = new TestProxy();
    test.apply(ProxyTestObjects.yaml(NODE));
  }

  @AfterEach
  void close() {
    test.close();
  }

  private static ObjectNode service(String name, int number, String more) {
    return ProxyTestObjects.yaml(
            """
            apiVersion: v1
            kind: Service
            metadata: {namespace: shop, name: %s}
            spec: {clusterIP: 10.112.0.%d, type: ClusterIP, ports: [{name: h, port: 80}]%s}
            """
                .formatted(name, number, more))
        .getFirst();
  }

  private static ObjectNode slice(String service, String endpoints) {
    return ProxyTestObjects.yaml(
            """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {namespace: shop, name: %1$s-1, labels: {kubernetes.io/service-name: %1$s}}
            addressType: IPv4
            ports: [{name: h, port: 8080, protocol: TCP}]
            endpoints: [%2$s]
            """
                .formatted(service, endpoints))
        .getFirst();
  }

  private static String endpoint(String address) {
    return "{addresses: [" + address + "], nodeName: node-a, conditions: {ready: true}}";
  }

  @Test
  void y1RulesWaitForServicesAndSlices() throws InterruptedException {
    test.apply(service("cart", 1, ""));
    test.apply(slice("cart", endpoint("10.64.1.11")));
    assertThat(test.tool.documents()).isEmpty();
    test.start();
    await().atMost(LIMIT).until(() -> test.proxy.isReady());
    assertThat(test.tool.documents()).as("one whole sync").hasSize(1);
    assertThat(test.rules("nat", "KUBE-SERVICES", "shop/cart:h cluster IP")).isEqualTo(1);
  }

  @Test
  void y4AServiceIsRefusedUntilItHasEndpoints() throws InterruptedException {
    test.start();
    test.apply(service("cart", 1, ""));
    await()
        .atMost(LIMIT)
        .until(() -> test.rules("filter", "KUBE-SERVICES", "has no endpoints") == 1);
    test.apply(slice("cart", endpoint("10.64.1.11")));
    await().atMost(LIMIT).until(() -> test.rules("nat", "KUBE-SERVICES", "shop/cart") == 1);
    assertThat(test.rules("filter", "KUBE-SERVICES", "has no endpoints")).isZero();
  }

  private List<JsonNode> changes(String kind) {
    return test.proxy.changes().since(0, 1000).changes().stream()
        .map(each -> (JsonNode) each.toJson())
        .filter(each -> Json.textOr(each, "", "kind").equals(kind))
        .toList();
  }

  @Test
  void whatWasWrittenIsRecordedWithItsVersions() throws InterruptedException {
    test.start();
    assertThat(changes("start")).hasSize(1);
    test.apply(service("cart", 1, ""));
    test.apply(slice("cart", endpoint("10.64.1.11")));
    await().atMost(LIMIT).until(() -> test.rules("nat", "KUBE-SERVICES", "shop/cart") == 1);
    String version =
        Json.textOr(
            test.client.get(ProxyInformers.SLICES, new ObjectKey("shop", "cart-1")),
            "",
            "metadata",
            "resourceVersion");
    await()
        .atMost(LIMIT)
        .until(
            () ->
                changes("rules").stream()
                    .anyMatch(each -> Json.textOr(each, "", "slicesVersion").equals(version)));
    JsonNode written = changes("rules").getLast();
    assertThat(written.path("services").path(0).asString()).isEqualTo("shop/cart");
    assertThat(written.path("family").asString()).isEqualTo("IPv4");
    assertThat(Instant.parse(written.path("received").asString()))
        .isBeforeOrEqualTo(Instant.parse(written.path("at").asString()));
    assertThat(written.path("writes").asInt()).isPositive();
  }

  @Test
  void m2ALabelThatGivesAServiceAwayTakesItsRules() throws InterruptedException {
    ObjectNode cart = service("cart", 1, "");
    test.apply(cart);
    test.apply(slice("cart", endpoint("10.64.1.11")));
    test.start();
    await().atMost(LIMIT).until(() -> test.rules("nat", "KUBE-SERVICES", "shop/cart") == 1);
    ObjectNode labelled = cart.deepCopy();
    Json.child(labelled, "metadata")
        .putObject("labels")
        .put("service.kubernetes.io/service-proxy-name", "");
    test.apply(labelled);
    await().atMost(LIMIT).until(() -> test.rules("nat", "KUBE-SERVICES", "shop/cart") == 0);
    test.apply(cart);
    await().atMost(LIMIT).until(() -> test.rules("nat", "KUBE-SERVICES", "shop/cart") == 1);
  }

  @Test
  void y5ARefusedChangeIsCountedAndRepairedByALookAtEverything() throws InterruptedException {
    test.close();
    test = new TestProxy("iptables-sync-period=100ms");
    test.apply(ProxyTestObjects.yaml(NODE));
    test.start();
    await().atMost(LIMIT).until(() -> test.proxy.isReady());
    test.tool.failNext(1);
    test.apply(service("cart", 1, ""));
    await()
        .atMost(LIMIT)
        .until(() -> test.rules("filter", "KUBE-SERVICES", "shop/cart:h has no endpoints") == 1);
    assertThat(test.proxy.metrics().text())
        .contains(
            "kubeproxy_sync_proxy_rules_iptables_partial_restore_failures_total"
                + "{ip_family=\"IPv4\"} 1.0");
  }

  @Test
  void y8FlushedTablesComeBack() throws InterruptedException {
    test.apply(service("cart", 1, ""));
    test.start();
    await().atMost(LIMIT).until(() -> test.proxy.isReady());
    // The canary must have been seen once before it can be missed.
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              test.tool.flush();
              return came(() -> test.rules("filter", "KUBE-SERVICES", "has no endpoints") == 1);
            });
    assertThat(test.tool.rules("nat", "KUBE-POSTROUTING")).hasSize(3);
  }

  private static boolean came(Callable<Boolean> condition) {
    try {
      await().atMost(Duration.ofSeconds(2)).until(condition);
      return true;
    } catch (ConditionTimeoutException _) {
      return false;
    }
  }

  @Test
  void healthSaysWhetherTrafficMayComeAndWhetherTheProxyWorks() throws Exception {
    test.start();
    await().atMost(LIMIT).until(() -> test.proxy.isReady());
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    assertThat(get("/").statusCode()).isEqualTo(404);
    ObjectNode draining = ProxyTestObjects.yaml(NODE).getFirst();
    Json.child(draining, "spec")
        .putArray("taints")
        .addObject()
        .put("key", "ToBeDeletedByClusterAutoscaler")
        .put("effect", "NoSchedule");
    test.apply(draining);
    await().atMost(LIMIT).until(() -> get("/healthz").statusCode() == 503);
    JsonNode body = Json.parse(get("/healthz").body().getBytes(StandardCharsets.UTF_8));
    assertThat(body.path("nodeEligible").asBoolean()).isFalse();
    assertThat(body.path("healthy").asBoolean()).isTrue();
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    assertThat(get("/livez").body()).doesNotContain("nodeEligible");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    InetSocketAddress address = test.proxy.servers().healthAddress().orElseThrow();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void c5ConversationsOfADeletedUdpServiceAreForgotten() throws InterruptedException {
    ObjectNode dns = service("dns", 53, "");
    ((ObjectNode) dns.path("spec").path("ports").get(0)).put("protocol", "UDP");
    ObjectNode endpoints = slice("dns", endpoint("10.64.1.53"));
    ((ObjectNode) endpoints.path("ports").get(0)).put("protocol", "UDP");
    test.apply(List.of(dns, endpoints));
    test.start();
    await().atMost(LIMIT).until(() -> test.rules("nat", "KUBE-SERVICES", "shop/dns") == 1);
    UdpFlow ours = flow("10.112.0.53", 80, "10.64.1.53", 8080);
    UdpFlow other = flow("10.9.9.9", 80, "10.9.9.9", 80);
    test.flows.flows.addAll(List.of(ours, other));
    test.delete(ProxyInformers.SERVICES, "shop", "dns");
    await().atMost(LIMIT).until(() -> !test.flows.flows.contains(ours));
    assertThat(test.flows.flows).containsExactly(other);
  }

  @Test
  void c4ChangesOfTcpServicesNeverReadTheTableOfConversations() throws InterruptedException {
    test.apply(service("cart", 1, ""));
    test.start();
    await().atMost(LIMIT).until(() -> test.proxy.isReady());
    test.apply(slice("cart", endpoint("10.64.1.11")));
    await().atMost(LIMIT).until(() -> test.rules("nat", "KUBE-SERVICES", "shop/cart") == 1);
    assertThat(test.flows.dumps).isZero();
  }

  private static UdpFlow flow(String to, int port, String from, int fromPort) {
    return new UdpFlow(
        new Socket(ProxyTestObjects.ip(to), port),
        new Socket(ProxyTestObjects.ip(from), fromPort),
        to + from);
  }

  @Test
  void theStartIsAnEventOnTheNode() throws InterruptedException {
    test.start();
    await()
        .atMost(LIMIT)
        .until(
            () ->
                test.client.list(ResourceType.EVENTS, "default", ListOptions.ALL).items().stream()
                    .anyMatch(event -> event.path("reason").asString("").equals("Starting")));
  }

  @Test
  void aWarningIsAnEventOnTheNode() throws InterruptedException {
    test.proxy.warn("IPVSFallback", "the kernel has no IPVS");
    test.start();
    await()
        .atMost(LIMIT)
        .until(
            () ->
                test.client.list(ResourceType.EVENTS, "default", ListOptions.ALL).items().stream()
                    .anyMatch(event -> event.path("reason").asString("").equals("IPVSFallback")));
  }

  @Test
  void h5HealthPortCountsReadyLocalEndpoints() throws Exception {
    int port = free();
    String more = ", externalTrafficPolicy: Local, healthCheckNodePort: " + port;
    ObjectNode local = service("local", 3, more);
    ((ObjectNode) local.path("spec")).put("type", "LoadBalancer");
    test.apply(local);
    test.apply(slice("local", endpoint("10.64.1.11")));
    test.start();
    // Until it listens, connections are refused.
    await()
        .atMost(LIMIT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> assertThat(health(port).statusCode()).isEqualTo(200));
    HttpResponse<String> answer = health(port);
    assertThat(answer.headers().firstValue("X-Load-Balancing-Endpoint-Weight")).contains("1");
    assertThat(answer.body())
        .isEqualTo(
            """
            {
            \t"service": {
            \t\t"namespace": "shop",
            \t\t"name": "local"
            \t},
            \t"localEndpoints": 1,
            \t"serviceProxyHealthy": true
            }\
            """);
    test.apply(
        slice(
            "local",
            "{addresses: [10.64.1.11], nodeName: node-a,"
                + " conditions: {ready: false, serving: true, terminating: true}}"));
    await().atMost(LIMIT).untilAsserted(() -> assertThat(health(port).statusCode()).isEqualTo(503));
    assertThat(test.rules("nat", "KUBE-SERVICES", "shop/local"))
        .as("terminating endpoints still serve")
        .isEqualTo(1);
    test.delete(ProxyInformers.SERVICES, "shop", "local");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThatThrownBy(() -> health(port)).isInstanceOf(IOException.class));
  }

  private static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static HttpResponse<String> health(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private ProxyReport report() {
    return test.client
        .find(ResourceType.LEASES, ProxyReport.key("node-a"))
        .map(ProxyReport::of)
        .orElse(ProxyReport.now("node-a", Map.of("IPv4", "0"), Instant.EPOCH));
  }

  private String version(String slice) {
    return test.client
        .get(ProxyInformers.SLICES, new ObjectKey("shop", slice))
        .path("metadata")
        .path("resourceVersion")
        .asString();
  }

  @Test
  void n31ItTellsAtOnceThatRulesShowAnEndpointOnItsWayOut() throws InterruptedException {
    test.client.create(
        ResourceType.NAMESPACES,
        "",
        ProxyTestObjects.yaml("metadata: {name: kube-public}").getFirst());
    test.apply(service("cart", 1, ""));
    test.apply(slice("cart", endpoint("10.64.1.11") + ", " + endpoint("10.64.1.12")));
    test.start();
    await().atMost(LIMIT).until(() -> report().lives(Instant.now()));
    test.apply(
        slice(
            "cart",
            endpoint("10.64.1.11")
                + ", {addresses: [10.64.1.12], nodeName: node-a,"
                + " conditions: {ready: false, serving: true, terminating: true}}"));
    String version = version("cart-1");
    await().atMost(LIMIT).until(() -> report().shows("IPv4", version));
    assertThat(report().written()).containsOnlyKeys("IPv4");
    // Another version of the slice that changes no rule is told of too.
    ObjectNode labelled = test.client.get(ProxyInformers.SLICES, new ObjectKey("shop", "cart-1"));
    Json.child(Json.child(labelled, "metadata"), "annotations").put("note", "x");
    test.apply(labelled);
    String later = version("cart-1");
    assertThat(later).isNotEqualTo(version);
    await().atMost(LIMIT).until(() -> report().shows("IPv4", later));
  }

  @Test
  void anApiThatIsAwayChangesNothing() throws InterruptedException {
    test.apply(service("cart", 1, ""));
    test.apply(slice("cart", endpoint("10.64.1.11")));
    test.start();
    await().atMost(LIMIT).until(() -> test.rules("nat", "KUBE-SERVICES", "shop/cart") == 1);
    List<String> before = test.tool.rules("nat", "KUBE-SERVICES");
    test.api.endWatches();
    test.api.compact();
    test.delete(ProxyInformers.SLICES, "shop", "cart-1");
    assertThat(before).isNotEmpty();
    await()
        .atMost(LIMIT)
        .until(() -> test.rules("filter", "KUBE-SERVICES", "has no endpoints") == 1);
    assertThat(test.client.get(ProxyInformers.SERVICES, new ObjectKey("shop", "cart"))).isNotNull();
  }
}
