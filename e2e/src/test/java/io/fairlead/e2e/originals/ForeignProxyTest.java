package io.fairlead.e2e.originals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.e2e.FairleadCli;
import io.fairlead.e2e.proxy.NodeTestbed;
import io.fairlead.kernel.process.CommandRunner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead explain` on a node whose proxy is kube-proxy, in a cluster of which no part is ours:
/// what the kernel of this machine shows is evidence, the rest is unknown.
@Tag("system")
class ForeignProxyTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String SERVICE = "10.112.0.1";
  private static final Map<String, ResourceType> TYPES =
      Map.of(
          "Node", ResourceType.NODES,
          "Service", ResourceType.SERVICES,
          "EndpointSlice", ResourceType.ENDPOINT_SLICES,
          "Pod", ResourceType.PODS,
          "Lease", ResourceType.LEASES,
          "Endpoints", ResourceType.ENDPOINTS,
          "Event", ResourceType.EVENTS,
          "ServiceCIDR",
              new ResourceType("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false),
          "NetworkPolicy",
              new ResourceType(
                  "networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true));

  private static final String WORLD =
      """
      kind: Node
      metadata: {name: node-a}
      status:
        addresses: [{type: InternalIP, address: 192.0.2.10}]
        conditions: [{type: Ready, status: "True"}]
      ---
      kind: Service
      metadata: {name: web, namespace: default, creationTimestamp: "2026-01-01T00:00:00Z"}
      spec:
        type: ClusterIP
        clusterIP: %1$s
        clusterIPs: [%1$s]
        ipFamilies: [IPv4]
        internalTrafficPolicy: Cluster
        sessionAffinity: None
        selector: {app: web}
        ports: [{name: http, port: 80, protocol: TCP, targetPort: 8080}]
      ---
      kind: Pod
      metadata: {name: web-1, namespace: default, labels: {app: web}}
      spec: {nodeName: node-a, containers: [{name: web, image: web}]}
      status:
        phase: Running
        podIP: %2$s
        podIPs: [{ip: %2$s}]
        conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}]
      ---
      kind: EndpointSlice
      metadata:
        name: web-1
        namespace: default
        labels:
          kubernetes.io/service-name: web
          endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io
      addressType: IPv4
      ports: [{name: http, port: 8080, protocol: TCP}]
      endpoints:
      - addresses: [%2$s]
        conditions: {ready: true, serving: true, terminating: false}
        nodeName: node-a
        targetRef: {kind: Pod, name: web-1}
      """;

  @TempDir Path home;
  private NodeTestbed node;
  private OriginalPrograms programs;
  private TransportHttpServer http;
  private Path launcher;
  private Path kubeconfig;

  @BeforeEach
  void build() throws Exception {
    String _ = OriginalPrograms.require("kube-proxy");
    node = new NodeTestbed("flfp" + ProcessHandle.current().pid());
    programs = new OriginalPrograms(home);
    launcher = FairleadCli.launcher(home);
    FakeApi api = new FakeApi(List.copyOf(TYPES.values()));
    Client client = new Client(api);
    for (String document : WORLD.formatted(SERVICE, NodeTestbed.PODS.getFirst()).split("---")) {
      ObjectNode object = (ObjectNode) Yaml.parse(document);
      ResourceType type = Objects.requireNonNull(TYPES.get(Json.textOr(object, "", "kind")));
      client.create(type, Json.textOr(object, "", "metadata", "namespace"), object);
    }
    http =
        node.namespace()
            .call(
                () ->
                    new TransportHttpServer(
                        api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    kubeconfig = Files.writeString(home.resolve("kubeconfig"), http.kubeconfig());
  }

  @AfterEach
  void end() {
    if (programs != null) {
      programs.close();
    }
    if (http != null) {
      http.close();
    }
    if (node != null) {
      node.close();
    }
  }

  private void startProxy(String mode) throws Exception {
    Process _ =
        programs.start(
            "kube-proxy",
            List.of(
                "ip",
                "netns",
                "exec",
                node.namespace().name(),
                OriginalPrograms.require("kube-proxy"),
                "--kubeconfig=" + kubeconfig,
                "--kube-api-content-type=application/json",
                "--proxy-mode=" + mode,
                "--cluster-cidr=10.64.0.0/14",
                "--hostname-override=node-a",
                "--conntrack-max-per-core=0",
                "--conntrack-tcp-timeout-established=0",
                "--conntrack-tcp-timeout-close-wait=0"));
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(node.get(SERVICE, 80))
                    .as(programs.log("kube-proxy"))
                    .isEqualTo(NodeTestbed.PODS.getFirst()));
  }

  private CommandRunner.Result fairlead(String... words) {
    List<String> command = new ArrayList<>(List.of("env", launcher.toString()));
    command.addAll(List.of(words));
    command.add("--kubeconfig=" + kubeconfig);
    return node.inside().run("", command);
  }

  private JsonNode explain() {
    CommandRunner.Result result =
        fairlead("explain", "svc/web", "-o", "json", "--request-timeout=60s");
    assertThat(result.error()).isEmpty();
    return Json.parse(result.output().getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode row(JsonNode explanation, String name) {
    return explanation
        .path("rows")
        .valueStream()
        .filter(each -> Json.textOr(each, "", "name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void rulesOfIptablesAreComparedOneByOne() throws Exception {
    startProxy("iptables");
    JsonNode works = explain();
    assertThat(Json.textOr(row(works, "Rules"), "", "state")).as(works.toString()).isEqualTo("ok");
    assertThat(Json.textOr(row(works, "Rules"), "", "source")).isEqualTo("kernel");
    assertThat(Json.textOr(row(works, "Reach"), "", "state")).isEqualTo("ok");
    assertThat(works.at("/summary/dataPlanes/0/kind").asString("")).isEqualTo("kube-proxy");
    assertThat(works.at("/summary/dataPlanes/0/mode").asString("")).isEqualTo("iptables");
    String jump =
        node.inside()
            .run("", List.of("iptables-save", "-t", "nat"))
            .output()
            .lines()
            .filter(line -> line.startsWith("-A KUBE-SERVICES -d " + SERVICE))
            .findFirst()
            .orElseThrow();
    CommandRunner.Result cut =
        node.inside()
            .run("", List.of("sh", "-c", "iptables -t nat -D " + jump.substring("-A ".length())));
    assertThat(cut.exit()).as(cut.error()).isZero();
    JsonNode broken = explain();
    assertThat(Json.textOr(broken, "", "verdict")).as(broken.toString()).isEqualTo("Broken");
    assertThat(Json.textOr(broken, "", "code")).isEqualTo("FL140");
  }

  @Test
  void rulesOfNftablesAreUnknownAndConnectionsAreNot() throws Exception {
    startProxy("nftables");
    JsonNode works = explain();
    assertThat(Json.textOr(works, "", "verdict")).as(works.toString()).isEqualTo("Works");
    assertThat(Json.textOr(row(works, "Rules"), "", "state")).isEqualTo("unknown");
    assertThat(Json.textOr(row(works, "Reach"), "", "state")).isEqualTo("ok");
    CommandRunner.Result waits = fairlead("wait", "svc/web", "--for=programmed");
    assertThat(waits.error()).contains("FL198");
  }
}
