package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.Provokes;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.insight.simulate.PolicyModel;
import io.fairlead.proxy.mode.ControlSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead trace` and `top` against an API in memory and a socket that answers as a node does.
class TraceCommandTest {
  private static final String TRACE =
      """
      {"apiVersion": "fairlead.dev/v1", "kind": "TraceResult", "node": "a", "mode": "nftables",
       "probe": {"protocol": "TCP", "source": "10.244.1.20:41873", "sentTimes": 1,
                 "outcome": "connected", "millis": 0.41},
       "result": "reached", "code": null, "values": {},
       "endpoint": {"address": "10.244.2.3", "port": 9376, "share": 0.5}, "decisiveHop": 0,
       "hops": [
         {"n": 1, "node": "a", "place": "pod", "via": "netlink",
          "text": "route via 10.244.1.1 by eth0"},
         {"n": 2, "node": "a", "place": "raw", "via": "nft trace",
          "text": "packet enters from veth3f2a"},
         {"n": 3, "node": "a", "place": "nat", "via": "conntrack",
          "text": "DNAT to 10.244.2.3:9376, no masquerade"},
         {"n": 4, "node": "a", "place": "remote", "via": "socket",
          "text": "10.244.2.3:9376 answered in 0.41 ms"}],
       "others": [{"address": "10.244.1.7", "port": 9376, "share": 0.5}],
       "lost": 0, "table": "removed"}
      """;

  @TempDir Path directory;
  private final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.SERVICES,
              ResourceType.ENDPOINT_SLICES,
              ResourceType.PODS,
              ResourceType.NAMESPACES,
              ResourceType.NODES,
              PolicyModel.POLICIES));
  private final List<ObjectNode> asked = new ArrayList<>();
  private TransportHttpServer http;
  private ControlSocket node;
  private String listeners =
      "{\"code\": 200, \"body\": {\"listeners\": [{\"protocol\": \"TCP\", \"address\":"
          + " \"127.0.0.1\", \"port\": 9376, \"process\": {\"name\": \"server\"}}]}}";
  private String answer = "{\"code\": 200, \"body\": " + TRACE + "}";

  @BeforeEach
  void serve() throws IOException {
    http = new TransportHttpServer(api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Files.writeString(directory.resolve("kubeconfig"), http.kubeconfig());
    try (Client client = new Client(api)) {
      create(
          client,
          ResourceType.SERVICES,
          """
          metadata: {name: hostnames, namespace: default}
          spec: {type: ClusterIP, clusterIP: 10.0.1.175, ports: [{name: default, port: 80}]}
          """);
      create(
          client,
          ResourceType.SERVICES,
          """
          metadata: {name: headless, namespace: default}
          spec: {type: ClusterIP, clusterIP: None, ports: [{port: 80}]}
          """);
      create(
          client,
          ResourceType.ENDPOINT_SLICES,
          """
          metadata:
            name: hostnames-1
            namespace: default
            labels: {kubernetes.io/service-name: hostnames}
          addressType: IPv4
          ports: [{name: default, port: 9376}]
          endpoints:
          - {addresses: [10.244.1.7], nodeName: a, conditions: {ready: true}, targetRef: {name: p1}}
          - {addresses: [10.244.2.3], nodeName: b, conditions: {ready: true}, targetRef: {name: p2}}
          """);
      create(
          client,
          ResourceType.PODS,
          """
          metadata: {name: p1, namespace: default}
          spec: {nodeName: a}
          """);
      create(
          client,
          ResourceType.PODS,
          """
          metadata: {name: p2, namespace: default, labels: {app: web}}
          spec: {nodeName: b}
          status: {phase: Running, podIP: 10.244.2.3, podIPs: [{ip: 10.244.2.3}]}
          """);
      create(
          client,
          ResourceType.PODS,
          """
          metadata: {name: client-0, namespace: default, labels: {app: client}}
          spec: {nodeName: a}
          status: {phase: Running, podIP: 10.244.1.20, podIPs: [{ip: 10.244.1.20}]}
          """);
    }
    node = ControlSocket.open(directory.resolve("proxy.sock"), this::answered);
  }

  private static void create(Client client, ResourceType type, String yaml) {
    client.create(type, "default", (ObjectNode) Yaml.parse(yaml));
  }

  private ObjectNode answered(ObjectNode question) {
    asked.add(question);
    String text =
        Json.textOr(question, "", "path").equals("about")
            ? "{\"code\": 200, \"body\": {\"node\": \"a\"}}"
            : Json.textOr(question, "", "path").equals("listeners") ? listeners : answer;
    return (ObjectNode) Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @AfterEach
  void close() {
    node.close();
    http.close();
  }

  private CommandLineHarness.Result run(String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.add("--kubeconfig=" + directory.resolve("kubeconfig"));
    line.add("--control=" + directory.resolve("proxy.sock"));
    return new CommandLineHarness().run(line.toArray(String[]::new));
  }

  @Test
  void hopsAreShownWithTheirSourceAndTheEndpointsPod() {
    var result = run("trace", "pod/client-0", "->", "svc/hostnames:80");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out().lines().map(line -> line.replaceAll(" {3,}", "   ")))
        .containsExactly(
            "probe SYN 10.244.1.20:41873 → 10.0.1.175:80",
            " 1  pod client-0  route via 10.244.1.1 by eth0   netlink",
            " 2  node a  raw   packet enters from veth3f2a   nft trace",
            " 3  node a  nat   DNAT to 10.244.2.3:9376, no masquerade   conntrack",
            " 4  node b   p2 answered in 0.41 ms   socket",
            "Reached 10.244.2.3:9376 in 0.41 ms. Other outcomes: 10.244.1.7 50.0 %");
    ObjectNode body = (ObjectNode) asked.getLast().path("body");
    assertThat(Json.textOr(body, "", "to", "address")).isEqualTo("10.0.1.175");
    assertThat(Json.textOr(body, "", "from", "pod")).isNotEmpty();
  }

  @Test
  void theDocumentNamesPodAndNode() {
    var result = run("trace", "pod/client-0", "to", "svc/hostnames", "-o", "json");
    ObjectNode document = (ObjectNode) Json.parse(result.out().getBytes(StandardCharsets.UTF_8));
    assertThat(Json.textOr(document, "", "kind")).isEqualTo("Trace");
    assertThat(Json.textOr(document, "", "apiVersion")).isEqualTo("cli.fairlead.dev/v1");
    assertThat(Json.textOr(document, "", "endpoint", "pod")).isEqualTo("p2");
    assertThat(Json.textOr(document, "", "endpoint", "node")).isEqualTo("b");
    assertThat(document.path("code").isNull()).isTrue();
    assertThat(document.path("others").get(0).path("pod").asString("")).isEqualTo("p1");
  }

  private void policy(String name, String spec) {
    try (Client client = new Client(api)) {
      create(
          client,
          PolicyModel.POLICIES,
          "{metadata: {name: " + name + ", namespace: default}, spec: " + spec + "}");
    }
  }

  @Test
  void policiesOfBothEndsAreNamedWithTheRuleThatLetsItPass() {
    policy(
        "calls",
        "{podSelector: {matchLabels: {app: client}}, policyTypes: [Egress], egress: [{}]}");
    var result = run("trace", "pod/client-0", "to", "pod/p2:9376");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(Json.textOr(asked.getLast(), "", "body", "to", "address")).isEqualTo("10.244.2.3");
    assertThat(result.out().lines().map(line -> line.replaceAll(" {3,}", "   ")))
        .contains(
            " 4  node b   p2 answered in 0.41 ms   socket",
            " 5  node a   policy egress: allowed by default/calls egress[0].to[0].ports[0]"
                + "   model");
  }

  @Test
  void aPolicyThatDeniesIsNamedWithItsCode() {
    policy("deny", "{podSelector: {matchLabels: {app: web}}}");
    answer =
        answer
            .replace("\"reached\"", "\"dropped\"")
            .replace("\"code\": null", "\"code\": \"FL160\"")
            .replace("\"decisiveHop\": 0", "\"decisiveHop\": 3");
    var result = run("trace", "pod/client-0", "to", "svc/hostnames");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .contains(
            "policy ingress: FL160 dropped at default/p2: no policy lets default/client-0 in on"
                + " 9376/TCP. Isolated by default/deny")
        .contains("Dropped at hop 3, silently (FL160).");
  }

  @Test
  void aPodWithoutAPortOrThatIsNotThereIsRefused() {
    assertThat(run("trace", "pod/client-0", "to", "pod/p2").err())
        .contains("FL303", "pod/NAME:PORT");
    assertThat(run("trace", "pod/client-0", "to", "pod/none:80").err())
        .contains("FL303", "a pod that exists");
  }

  @Test
  void aDropEndsWithTheHopTheCodeAndANextStep() {
    answer =
        answer
            .replace("\"reached\"", "\"dropped\"")
            .replace("\"code\": null", "\"code\": \"FL146\"")
            .replace("\"decisiveHop\": 0", "\"decisiveHop\": 3");
    var result = run("trace", "svc/hostnames");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .contains("Dropped at hop 3, silently (FL146).")
        .contains("Next: fairlead explain svc/hostnames -n default");
  }

  /// A trace to the endpoint of node a that was refused by the endpoint itself.
  private void refused() {
    answer =
        answer
            .replace("\"reached\"", "\"refused\"")
            .replace("\"decisiveHop\": 0", "\"decisiveHop\": 4")
            .replace("10.244.2.3", "10.244.1.7")
            .replace("answered in 0.41 ms", "refused");
  }

  @Test
  void theEndpointsNodeSaysWhatWaitsInThePod() {
    refused();
    var result = run("trace", "pod/client-0", "to", "svc/hostnames");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out()).contains("p1: 9376/TCP is open on 127.0.0.1 (process server)");
    listeners = "{\"code\": 200, \"body\": {\"listeners\": []}}";
    assertThat(run("trace", "pod/client-0", "to", "svc/hostnames").out())
        .contains("p1: nothing listens on 9376/TCP; open: nothing");
  }

  @Test
  void aNodeThatDoesNotSayLeavesTheTraceAsItIs() {
    refused();
    listeners = "{\"code\": 403, \"body\": {\"message\": \"may not\"}}";
    var result = run("trace", "pod/client-0", "to", "svc/hostnames");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out()).contains("p1 refused").doesNotContain("listens");
  }

  @Test
  void v91TheModelSendsNothing() {
    var result = run("trace", "pod/client-0", "to", "svc/hostnames", "--model");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("one of 2 endpoints at random", "model")
        .contains("Would reach one of these. Other outcomes: 10.244.1.7 50.0 %, 10.244.2.3 50.0 %")
        .endsWith("Nothing was sent.\n");
    assertThat(asked).noneMatch(each -> Json.textOr(each, "", "path").equals("traces"));
  }

  @Test
  @Provokes(ErrorCode.FL125)
  void v93APortTheServiceLacksIsNamed() {
    var result = run("trace", "svc/hostnames:81");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.err()).contains("FL125", "default/hostnames has no port 81", "are 80");
  }

  @Test
  @Provokes(ErrorCode.FL155)
  void v94AHeadlessServiceHasNoVip() {
    var result = run("trace", "svc/headless");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.err()).contains("FL155", "default/headless has no address of its own");
  }

  @Test
  @Provokes(ErrorCode.FL195)
  void v146ANodeThatDoesNotLetUsIsNamed() {
    answer = "{\"code\": 429, \"body\": {\"message\": \"another trace runs on this node\"}}";
    var result = run("trace", "svc/hostnames");
    assertThat(result.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(result.err()).contains("FL195", "cannot trace on a", "another trace runs");
  }

  @Test
  void v101TopShowsSharesSeenAgainstSharesExpected() {
    answer =
        """
        {"code": 200, "body": {"kind": "NodeFlows", "node": "a", "mode": "nftables",
         "sinceMillis": 10, "services": [{"namespace": "default", "name": "hostnames",
         "port": "default", "protocol": "TCP", "address": "10.0.1.175", "number": 80,
         "affinitySeconds": 0, "active": 3, "clients": 2, "endpoints": [
         {"address": "10.244.1.7", "port": 9376, "expect": 0.5, "active": 2, "begun": 0,
          "inBytes": null, "outBytes": null, "oldestSeconds": 720, "older": 0},
         {"address": "10.244.2.3", "port": 9376, "expect": 0.5, "active": 1, "begun": 0,
          "inBytes": null, "outBytes": null, "oldestSeconds": null, "older": 0}]}]}}
        """;
    var result = run("top", "svc/hostnames", "--once", "--interval=1ms", "--node=a");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out().lines().map(line -> line.replaceAll(" {2,}", "  ")))
        .containsExactly(
            "default/hostnames:default 10.0.1.175:80/TCP  nftables  3 active  0.0 new/s"
                + "  –/s in  –/s out",
            "ENDPOINT  POD  NODE  ACTIVE  NEW/S  OUT/S  SHARE  EXPECT  OLDEST",
            "10.244.1.7:9376  p1  a  2  0.0  –  67 %  50 %  12m",
            "10.244.2.3:9376  p2  b  1  0.0  –  33 %  50 %  –",
            "bytes are not counted: net.netfilter.nf_conntrack_acct is 0");
    JsonNode document =
        Json.parse(
            run("top", "svc/hostnames", "--once", "--interval=1ms", "--node=a", "-o", "json")
                .out()
                .getBytes(StandardCharsets.UTF_8));
    assertThat(Json.textOr(document, "", "kind")).isEqualTo("Top");
    assertThat(document.path("services").get(0).path("outBytesPerSecond").isNull()).isTrue();
  }
}
