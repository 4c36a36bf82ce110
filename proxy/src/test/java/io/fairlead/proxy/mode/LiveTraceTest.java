package io.fairlead.proxy.mode;

import static io.fairlead.proxy.mode.ModeChangingNode.FIXTURE;
import static io.fairlead.proxy.mode.ModeChangingNode.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.nodeapi.NodeApi;
import io.fairlead.proxy.trace.TraceHolder;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Traces with real rules and packets, in each mode. Rows follow one another on the same node.
@Tag("system")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LiveTraceTest {
  private static final String CART = "10.112.0.1";
  private static ModeChangingNode node;
  private static NodeApiQuestioner questions;

  @BeforeAll
  static void build() {
    node = new ModeChangingNode();
    questions = new NodeApiQuestioner(node);
    node.start(ProxyMode.NFTABLES);
  }

  @AfterAll
  static void remove() throws IOException {
    node.close();
  }

  private static String shell(NetworkNamespace where, String script) {
    return questions.shell(where, script);
  }

  private static NodeApi.Answer answer(
      String method, String path, Map<String, String> query, ObjectNode body) {
    return questions.answer(method, path, query, body);
  }

  private static ObjectNode request(String from, String address, int port) {
    return NodeApiQuestioner.request(from, address, port);
  }

  private static ObjectNode trace(ObjectNode body) {
    NodeApi.Answer answer = answer("POST", "traces", Map.of(), body);
    assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
    assertThat(tables()).doesNotContain("fairlead-trace");
    return answer.body();
  }

  private static String tables() {
    return shell(node.lab().node(), "nft list tables");
  }

  private static List<String> hops(ObjectNode trace) {
    return trace
        .path("hops")
        .valueStream()
        .map(hop -> Json.textOr(hop, "", "place") + ": " + Json.textOr(hop, "", "text"))
        .toList();
  }

  private static String endpoint(JsonNode trace) {
    return Json.textOr(trace, "", "endpoint", "address");
  }

  @Test
  @Order(1)
  void v78NftablesNamesTheEndpointThatConntrackHas() {
    Set<String> seen = new TreeSet<>();
    for (int i = 0; i < 20 && seen.size() < 2; i++) {
      ObjectNode trace = trace(request("pod", CART, 80));
      assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("reached");
      List<String> hops = hops(trace);
      assertThat(hops.get(0)).startsWith("pod: route via ");
      assertThat(hops.get(1)).startsWith("raw: packet enters from ");
      assertThat(hops.get(2)).startsWith("nat: services → pick");
      assertThat(hops.get(3)).contains("one of 2 slots at random = 50.0 %");
      assertThat(hops.get(4)).isEqualTo("nat: DNAT to " + endpoint(trace) + ":8080, no masquerade");
      assertThat(hops.get(5)).startsWith("remote: " + endpoint(trace) + ":8080 answered in ");
      assertThat(trace.path("hops").get(4).path("via").asString("")).isEqualTo("conntrack");
      assertThat(trace.path("others")).hasSize(1);
      seen.add(endpoint(trace));
    }
    assertThat(seen)
        .containsExactly(FIXTURE.endpoint("L1").toString(), FIXTURE.endpoint("R1").toString());
  }

  @Test
  @Order(2)
  void fromTheNodeItselfItIsMasqueraded() {
    ObjectNode trace = trace(request("", CART, 80));
    assertThat(hops(trace).get(1)).isEqualTo("raw: packet leaves a process of the node");
    assertThat(Json.textOr(trace, "", "result")).isEqualTo("reached");
  }

  @Test
  @Order(3)
  void v79SharesAreCounted() {
    ObjectNode trace = trace(request("pod", CART, 80).put("count", 20));
    int all = 0;
    for (JsonNode each : trace.path("counts")) {
      all += each.path("times").asInt();
    }
    assertThat(all).isEqualTo(20);
    assertThat(trace.path("counts").size()).isEqualTo(2);
  }

  @Test
  @Order(4)
  void v81NoEndpointsRejectsAtTheFrontsRule() {
    ObjectNode trace = trace(request("pod", "10.112.0.7", 80));
    assertThat(Json.textOr(trace, "", "result")).isEqualTo("refused");
    assertThat(hops(trace).getLast()).startsWith("nat: rejected by fairlead-proxy ");
    assertThat(trace.path("decisiveHop").asInt()).isEqualTo(hops(trace).size());
  }

  @Test
  @Order(5)
  void v82AFirewallsPolicyIsNamed() {
    shell(
        node.lab().node(),
        "nft 'table inet fw { chain forward { type filter hook forward priority 10; policy drop; };"
            + " }'");
    try {
      ObjectNode trace = trace(request("pod", CART, 80));
      assertThat(Json.textOr(trace, "", "result")).isEqualTo("dropped");
      assertThat(Json.textOr(trace, "", "code")).isEqualTo("FL146");
      assertThat(hops(trace).getLast()).isEqualTo("other: dropped by the policy of fw forward");
      assertThat(trace.path("decisiveHop").asInt()).isEqualTo(hops(trace).size());
    } finally {
      shell(node.lab().node(), "nft delete table inet fw");
    }
  }

  @Test
  @Order(6)
  void v83ForwardingThatIsOffIsNamed() {
    shell(node.lab().node(), "echo 0 > /proc/sys/net/ipv4/ip_forward");
    try {
      ObjectNode trace = trace(request("pod", CART, 80));
      assertThat(Json.textOr(trace, "", "result")).isEqualTo("lost");
      assertThat(Json.textOr(trace, "", "code")).isEqualTo("FL147");
      assertThat(hops(trace).getLast())
          .isEqualTo("route: lost between prerouting and forward: net.ipv4.ip_forward is 0");
    } finally {
      shell(node.lab().node(), "echo 1 > /proc/sys/net/ipv4/ip_forward");
    }
  }

  @Test
  @Order(7)
  void v84PolicyLocalWithoutAPodDrops() {
    ObjectNode trace = trace(request("pod", "10.112.0.6", 80));
    assertThat(Json.textOr(trace, "", "result")).isEqualTo("dropped");
    assertThat(Json.textOr(trace, "", "code")).isEqualTo("FL144");
    assertThat(hops(trace).getLast()).startsWith("nat: dropped by fairlead-proxy ");
  }

  @Test
  @Order(8)
  void v85APodReachesItselfMasqueraded() {
    String self = FIXTURE.endpoint("L1").toString();
    ObjectNode trace = trace(request("L1", CART, 80).put("endpoint", self));
    assertThat(endpoint(trace)).isEqualTo(self);
    assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("reached");
    assertThat(String.join("\n", hops(trace))).contains("masqueraded as ");
  }

  /// Another program keeps the source address of a pod's calls to itself, so that the pod takes
  /// them for forged.
  @Test
  @Order(9)
  void v134APodThatCannotReachItselfIsNamed() {
    String self = FIXTURE.endpoint("L1").toString();
    shell(
        node.lab().node(),
        "nft 'table ip foreign { chain keep { type nat hook postrouting priority 90; ip saddr "
            + self
            + " ip daddr "
            + self
            + " snat to "
            + self
            + "; }; }'");
    try {
      ObjectNode trace = trace(request("L1", CART, 80).put("endpoint", self));
      assertThat(endpoint(trace)).isEqualTo(self);
      assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("noAnswer");
      assertThat(Json.textOr(trace, "", "code")).isEqualTo("FL148");
    } finally {
      shell(node.lab().node(), "nft delete table ip foreign");
    }
  }

  @Test
  @Order(9)
  void v145AReversePathFilterIsNamed() {
    String client = FIXTURE.source(Origin.POD).toString();
    shell(
        node.lab().node(),
        "ip route replace " + client + " dev pL1; echo 1 > /proc/sys/net/ipv4/conf/ppod/rp_filter");
    try {
      ObjectNode trace = trace(request("pod", CART, 80));
      assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("lost");
      assertThat(Json.textOr(trace, "", "code")).isEqualTo("FL192");
      assertThat(hops(trace).getLast())
          .isEqualTo(
              "route: lost between prerouting and forward: reverse path filter on ppod, and the"
                  + " way back is by pL1");
    } finally {
      shell(
          node.lab().node(),
          "echo 0 > /proc/sys/net/ipv4/conf/ppod/rp_filter; ip route replace "
              + client
              + " dev ppod");
    }
  }

  @Test
  @Order(9)
  void v76AClientWithoutARouteSendsNothing() {
    ObjectNode trace = trace(request("", "198.51.100.1", 80));
    String result = Json.textOr(trace, "", "result");
    assertThat(result).as(trace.toPrettyString()).isIn("lost", "noAnswer");
    shell(node.lab().namespace("pod"), "ip route add unreachable 198.51.100.0/24");
    try {
      ObjectNode none = trace(request("pod", "198.51.100.1", 80));
      assertThat(Json.textOr(none, "", "code")).isEqualTo("FL191");
      assertThat(none.path("probe").path("source").isNull()).isTrue();
    } finally {
      shell(node.lab().namespace("pod"), "ip route del unreachable 198.51.100.0/24");
    }
  }

  @Test
  @Order(10)
  void v90ASecondTraceIsRefused() throws InterruptedException {
    List<Integer> codes = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    // A destination that never answers keeps the first one for half a second.
    Thread _ =
        Tasks.startPlatform(
            "first trace",
            () -> {
              trace(request("pod", "10.112.0.6", 80).put("timeoutMillis", 2000));
              done.countDown();
            });
    await().atMost(LIMIT).until(() -> tables().contains("fairlead-trace"));
    codes.add(answer("POST", "traces", Map.of(), request("pod", CART, 80)).code());
    assertThat(codes).containsExactly(429);
    done.await();
    assertThat(answer("POST", "traces", Map.of(), request("pod", CART, 80)).code()).isEqualTo(200);
  }

  @Test
  @Order(10)
  void hopsAreKnownWhileATraceRuns() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    Thread _ =
        Tasks.startPlatform(
            "slow trace",
            () -> {
              trace(request("pod", "10.112.0.6", 80).put("timeoutMillis", 4000));
              done.countDown();
            });
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(250))
        .until(() -> hops(progress()).size() > 1);
    List<String> hops = hops(progress());
    assertThat(hops.getFirst()).startsWith("pod: route via ");
    assertThat(hops.get(1)).startsWith("raw: packet enters from ");
    assertThat(hops).noneMatch(hop -> hop.contains("lost between"));
    done.await();
    assertThat(hops(progress())).isEmpty();
  }

  private static ObjectNode progress() {
    return answer("GET", "traces", Map.of(), Json.object()).body();
  }

  @Test
  @Order(11)
  void aLeftoverTableIsReplacedAndOneThatIsOwnedIsNot() {
    shell(node.lab().node(), "nft add table ip fairlead-trace");
    assertThat(Json.textOr(trace(request("pod", CART, 80)), "", "result")).isEqualTo("reached");
  }

  @Test
  @Order(12)
  void ipv6IsTracedAlike() {
    ObjectNode trace = trace(request("pod", "fd00:64:1::11", 8080));
    assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("reached");
    assertThat(hops(trace).get(1)).startsWith("raw: packet enters from ");
    assertThat(hops(trace).getLast()).startsWith("remote: [fd00:64:1::11]:8080 answered in ");
  }

  @Test
  @Order(13)
  void v95UdpIsTracedByItsDatagram() {
    ObjectNode body = request("pod", FIXTURE.endpoint("L1").toString(), 5353);
    ((ObjectNode) body.path("to")).put("protocol", "UDP");
    ObjectNode trace = trace(body.put("payload", "hi"));
    assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("reached");
    assertThat(Json.textOr(trace, "", "probe", "protocol")).isEqualTo("UDP");
  }

  @Test
  @Order(14)
  void v92APassiveTraceFollowsWhatOthersDo() throws Exception {
    ObjectNode wait = request("", CART, 80).put("passive", true).put("timeoutMillis", 200);
    assertThat(Json.textOr(trace(wait), "", "result")).isEqualTo("none");
    Thread caller =
        Tasks.startPlatform(
            "caller",
            () -> {
              await().atMost(LIMIT).until(() -> tables().contains("fairlead-trace"));
              CommandRunner.Result _ =
                  CommandRunner.inside(node.lab().namespace("pod"), LIMIT)
                      .run("", List.of("bash", "-c", "exec 3<>/dev/tcp/" + CART + "/80"));
            });
    ObjectNode trace = trace(wait.put("timeoutMillis", 20_000));
    caller.join();
    assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("reached");
    assertThat(hops(trace).getFirst())
        .startsWith("other: a client at " + FIXTURE.source(Origin.POD) + ":");
    assertThat(hops(trace).getLast()).isEqualTo("remote: " + endpoint(trace) + ":8080 answered");
  }

  @Test
  @Order(15)
  void v96OtherConnectionsMeanwhileAreNoneOfTheTraces() throws Exception {
    AtomicBoolean goesOn = new AtomicBoolean(true);
    AtomicInteger made = new AtomicInteger();
    Thread others =
        Tasks.startPlatform(
            "others",
            () ->
                node.lab()
                    .namespace("pod")
                    .call(
                        () -> {
                          while (goesOn.get()) {
                            try (Socket socket = new Socket()) {
                              socket.setSoLinger(true, 0);
                              socket.connect(new InetSocketAddress(CART, 80), 2000);
                            }
                            made.incrementAndGet();
                          }
                          return true;
                        }));
    try {
      await().atMost(LIMIT).until(() -> made.get() > 100);
      for (int i = 0; i < 5; i++) {
        ObjectNode trace = trace(request("pod", CART, 80).put("timeoutMillis", 5000));
        assertThat(Json.textOr(trace, "", "result"))
            .as(trace.toPrettyString())
            .isEqualTo("reached");
        assertThat(trace.path("probe").path("sentTimes").asInt()).isBetween(1, 2);
        assertThat(hops(trace)).hasSize(6);
        assertThat(trace.path("lost").asInt()).isZero();
      }
    } finally {
      goesOn.set(false);
      others.join();
    }
  }

  @Test
  @Order(30)
  void v80IptablesNamesTheRuleAndItsShare() {
    node.change(ProxyMode.IPTABLES);
    ObjectNode trace = trace(request("pod", CART, 80));
    assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("reached");
    List<String> hops = hops(trace);
    assertThat(hops.get(2)).startsWith("nat: KUBE-SERVICES → KUBE-SVC-");
    assertThat(hops.get(3)).matches("nat: rule [12] of 2: .*50.0 % → KUBE-SEP-.*");
    assertThat(trace.path("hops").get(3).path("share").asDouble()).isBetween(0.49, 0.51);
    assertThat(hops.get(4)).isEqualTo("nat: DNAT to " + endpoint(trace) + ":8080, no masquerade");
    ObjectNode empty = trace(request("pod", "10.112.0.7", 80));
    assertThat(Json.textOr(empty, "", "result")).as(empty.toPrettyString()).isEqualTo("refused");
    assertThat(hops(empty).getLast()).contains("rejected by filter KUBE-");
  }

  @Test
  @Order(31)
  void v86UserspaceNamesWhatTheRelayChose() {
    node.change(ProxyMode.USERSPACE);
    ObjectNode trace = trace(request("pod", CART, 80));
    assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("reached");
    assertThat(hops(trace).get(3)).startsWith("relay: redirected to the relay of this node at ");
    assertThat(hops(trace).get(4)).isEqualTo("relay: " + endpoint(trace) + ":8080 accepted");
    assertThat(Json.textOr(trace.path("hops").get(4), "", "via")).isEqualTo("relay");
    assertThat(hops(trace).getLast()).startsWith("remote: the relay answered in ");
    assertThat(List.of(FIXTURE.endpoint("L1").toString(), FIXTURE.endpoint("R1").toString()))
        .contains(endpoint(trace));
    assertThat(trace.path("others")).hasSize(1);
  }

  @Test
  @Order(32)
  void v88LegacyTablesLogTheRuleAndItsShare() {
    // What tells a proxy which variant of the tools the node's agent uses.
    shell(
        node.lab().node(),
        "for tool in iptables-legacy ip6tables-legacy; do $tool -t mangle -N KUBE-IPTABLES-HINT;"
            + " done");
    String logger = "cat /proc/sys/net/netfilter/nf_log/2";
    String before = shell(node.lab().node(), logger);
    node.change(ProxyMode.IPTABLES);
    assertThat(shell(node.lab().node(), "iptables-legacy-save -t nat")).contains("KUBE-SVC-");
    ObjectNode trace = trace(request("pod", CART, 80));
    assertThat(Json.textOr(trace, "", "result")).as(trace.toPrettyString()).isEqualTo("reached");
    List<String> hops = hops(trace);
    assertThat(hops.get(2)).startsWith("nat: KUBE-SERVICES → KUBE-SVC-");
    assertThat(hops.get(3)).matches("nat: rule [12] of 2 = 50.0 % → KUBE-SEP-.*");
    assertThat(Json.textOr(trace.path("hops").get(3), "", "via")).isEqualTo("nf log");
    assertThat(hops.get(4)).isEqualTo("nat: DNAT to " + endpoint(trace) + ":8080, no masquerade");
    ObjectNode empty = trace(request("pod", "10.112.0.7", 80));
    assertThat(Json.textOr(empty, "", "result")).as(empty.toPrettyString()).isEqualTo("refused");
    assertThat(hops(empty).getLast()).contains("rejected by filter KUBE-");
    assertThat(shell(node.lab().node(), logger)).as("as it was before").isEqualTo(before);
  }

  @Test
  @Order(40)
  void v89TheTableIsGoneWithItsProcess() throws Exception {
    Process holder =
        new ProcessBuilder(
                "nsenter",
                "--net=" + node.lab().node().path(),
                "--",
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                TraceHolder.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      await().atMost(LIMIT).until(() -> tables().contains("fairlead-trace"));
    } finally {
      holder.destroyForcibly();
    }
    holder.waitFor();
    assertThat(tables()).doesNotContain("fairlead-trace");
  }
}
