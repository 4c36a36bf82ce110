package io.fairlead.proxy.announce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.proxy.bgp.PrivateBirdInside;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Nodes a and b tell a router, a BIRD on the client's machine, of a Service's addresses: real
/// sessions, real packets. Vectors LV63 to LV67.
@Tag("system")
class LiveRouteTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String V = "10.77.0.1";
  private static final String V6 = "fd78::1";
  private static final String A = "192.168.77.11";
  private static final String B = "192.168.77.12";
  private static final String SECRET = "right";

  @TempDir static Path directory;
  private static AnnouncerLab lab;
  private static RouterInLab router;

  @BeforeAll
  static void build() throws IOException {
    lab =
        new AnnouncerLab(
            """
            pools: [{name: wan, announce: bgp, addresses: [10.77.0.0/28, "fd78::/124"]}]
            peers:
            - {name: tor-a, address: 192.168.77.14, asn: 64512, myAsn: 65000,
               nodeSelector: {matchLabels: {name: a}}}
            - {name: tor-b, address: 192.168.77.14, asn: 64512, myAsn: 65000,
               password: kube-system/fairlead-bgp, nodeSelector: {matchLabels: {name: b}}}
            """,
            where -> new PrivateBirdInside(directory.resolve(where.name()), where));
    List.of("a", "b").forEach(node -> lab.label(node, "name", node));
    password(SECRET);
    router = new RouterInLab(lab, directory, SECRET);
    List.of("a", "b").forEach(node -> lab.start(node, cluster()));
  }

  @AfterAll
  static void remove() {
    List.of("a", "b").forEach(node -> lab.node(node).end());
    router.close();
    lab.close();
  }

  private static void password(String text) {
    ObjectNode secret = Json.object();
    secret.putObject("metadata").put("namespace", "kube-system").put("name", "fairlead-bgp");
    secret
        .putObject("data")
        .put("password", Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    ObjectKey key = new ObjectKey("kube-system", "fairlead-bgp");
    if (lab.client.find(ResourceType.SECRETS, key).isPresent()) {
      lab.client.patch(ResourceType.SECRETS, key, PatchType.MERGE, secret);
    } else {
      lab.client.create(ResourceType.SECRETS, "kube-system", secret);
    }
  }

  private static List<ObjectNode> cluster() {
    return AnnouncerLab.service("[{ip: 10.77.0.1, ipMode: VIP}, {ip: \"fd78::1\", ipMode: VIP}]");
  }

  /// The Service with policy Local and an endpoint on one node.
  private static List<ObjectNode> local(String node) {
    return ProxyTestObjects.yaml(
        """
        apiVersion: v1
        kind: Service
        metadata: {namespace: shop, name: web, annotations: {fairlead.dev/allocated-from: wan}}
        spec: {type: LoadBalancer, clusterIP: 10.96.0.10, clusterIPs: [10.96.0.10],
          ipFamilies: [IPv4], externalTrafficPolicy: Local, healthCheckNodePort: 0,
          ports: [{name: h, port: 80, protocol: TCP}]}
        status: {loadBalancer: {ingress: [{ip: 10.77.0.1, ipMode: VIP}]}}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {namespace: shop, name: web-1, labels: {kubernetes.io/service-name: web}}
        addressType: IPv4
        ports: [{name: h, port: 8080, protocol: TCP}]
        endpoints: [{addresses: [192.168.77.15], nodeName: %s, conditions: {ready: true}}]
        """
            .formatted(node));
  }

  private static void show(List<ObjectNode> objects) {
    List.of("a", "b").forEach(node -> lab.node(node).show(objects));
  }

  private static void awaitHops(String network, Set<String> hops) {
    await().atMost(LIMIT).until(() -> router.nextHops(network), hops::equals);
  }

  @BeforeEach
  void bothAnnounce() {
    show(cluster());
    awaitHops(V, Set.of(A, B));
    for (String node : List.of("a", "b")) {
      await().atMost(LIMIT).until(() -> peers(node), ("tor-" + node + "=Established")::equals);
    }
  }

  private static String peers(String node) {
    return Json.textOr(lab.lease(node), "", "metadata", "annotations", "fairlead.dev/bgp-peers");
  }

  @Test
  void lv63ARouterHasTwoNextHopsAndReachesTheService() throws IOException {
    await().atMost(LIMIT).until(() -> router.nextHops(V6).size() == 2);
    for (String address : List.of(V, V6)) {
      InetSocketAddress to = new InetSocketAddress(InetAddress.ofLiteral(address), 80);
      assertThat(Attempt.tcp(lab.namespace("client"), null, to, Duration.ofSeconds(5)))
          .isInstanceOf(Attempt.Reached.class);
    }
    assertThat(Json.textOr(lab.lease("a"), "", "metadata", "annotations", "fairlead.dev/routes"))
        .isEqualTo("10.77.0.1,fd78::1");
  }

  @Test
  void lv64WithPolicyLocalOnlyANodeWithAnEndpointIsANextHop() {
    show(local("a"));
    awaitHops(V, Set.of(A));
    show(local("c"));
    awaitHops(V, Set.of());
    show(local("b"));
    awaitHops(V, Set.of(B));
  }

  @Test
  void lv65ADeadNodeIsNoNextHopAnyMore() {
    lab.cable("a", false);
    try {
      awaitHops(V, Set.of(B));
    } finally {
      lab.cable("a", true);
    }
    awaitHops(V, Set.of(A, B));
  }

  @Test
  void lv66AWrongPasswordHarmsNoOtherSession() throws IOException {
    router.passwordOfB("wrong");
    try {
      awaitHops(V, Set.of(A));
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  lab.nodeEvents().stream()
                      .anyMatch(
                          one ->
                              one.startsWith("PeerDown: tor-b (192.168.77.14): ")
                                  && one.endsWith("(FL408)")));
      assertThat(peers("a")).isEqualTo("tor-a=Established");
    } finally {
      router.passwordOfB(SECRET);
    }
    awaitHops(V, Set.of(A, B));
    await()
        .atMost(LIMIT)
        .until(() -> lab.nodeEvents().contains("PeerUp: tor-b (192.168.77.14): Established"));
  }

  @Test
  void lv67WhatARouterSendsIsNotImported() {
    assertThat(router.command("show", "route", "export", "node_a")).contains("203.0.113.0/24");
    String control = directory.resolve(lab.namespace("a").name()).resolve("bird.ctl").toString();
    String all = lab.run("a", "birdc", "-s", control, "show", "route", "all").output();
    assertThat(all).doesNotContain("203.0.113.0");
    assertThat(lab.run("a", "birdc", "-s", control, "show", "route", "table", "fairlead4").output())
        .contains("10.77.0.1/32");
    assertThat(lab.run("a", "ip", "route").output()).doesNotContain("203.0.113", "10.77.0.1");
  }

  @Test
  void passwordsAreInAFileForTheOwnerAlone() throws IOException {
    Path file = directory.resolve(lab.namespace("b").name()).resolve("bird.conf");
    assertThat(Files.readString(file)).contains("password \"right\";");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aKilledProcessLeavesTheRoutesAndTheNextOneGoesOnWithThem() {
    lab.node("a").announcer.kill();
    assertThat(router.nextHops(V)).isEqualTo(Set.of(A, B));
    lab.node("a").kill();
    lab.start("a", local("b"));
    lab.node("b").show(local("b"));
    awaitHops(V, Set.of(B));
    show(cluster());
    awaitHops(V, Set.of(A, B));
  }
}
