package io.fairlead.app.command.inspect;

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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `history`, `verify`, `wait`, `env` and `dump` in a cluster whose components are not ours: what
/// the API alone can say.
class InspectCommandsTest {
  private static final Map<String, ResourceType> TYPES =
      Map.of(
          "Service", ResourceType.SERVICES,
          "EndpointSlice", ResourceType.ENDPOINT_SLICES,
          "Pod", ResourceType.PODS,
          "Node", ResourceType.NODES,
          "Lease", ResourceType.LEASES,
          "Event", ResourceType.EVENTS,
          "Endpoints", ResourceType.ENDPOINTS,
          "ConfigMap", new ResourceType("", "v1", "configmaps", "ConfigMap", true),
          "NetworkPolicy",
              new ResourceType(
                  "networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true));

  private static final String WORLD =
      """
      kind: Node
      metadata: {name: a}
      status: {conditions: [{type: Ready, status: "True"}]}
      ---
      kind: Service
      metadata: {name: web, namespace: default, creationTimestamp: "2026-01-01T00:00:00Z"}
      spec:
        type: ClusterIP
        clusterIP: 192.0.2.80
        clusterIPs: [192.0.2.80]
        selector: {app: web}
        ports: [{name: http, port: 80, protocol: TCP, targetPort: 8080}]
      ---
      kind: Pod
      metadata: {name: web-1, namespace: default, labels: {app: web}}
      spec:
        nodeName: a
        containers: [{name: web, image: web, env: [{name: PASSWORD, value: hunter2}]}]
      status:
        phase: Running
        podIP: 192.0.2.81
        podIPs: [{ip: 192.0.2.81}]
        conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}]
        containerStatuses: [{name: web, state: {running: {startedAt: "2026-01-01T00:01:00Z"}}}]
      ---
      kind: EndpointSlice
      metadata:
        name: web-1
        namespace: default
        labels: {kubernetes.io/service-name: web}
      addressType: IPv4
      ports: [{name: http, port: 8080, protocol: TCP}]
      endpoints:
      - addresses: [192.0.2.81]
        conditions: {ready: true}
        nodeName: a
        targetRef: {kind: Pod, name: web-1}
      """;

  @TempDir Path directory;
  private final FakeApi api = new FakeApi(List.copyOf(TYPES.values()));
  private TransportHttpServer http;

  @BeforeEach
  void serve() throws IOException {
    http = new TransportHttpServer(api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Files.writeString(directory.resolve("kubeconfig"), http.kubeconfig());
    Client client = new Client(api);
    for (String document : WORLD.split("(?m)^---$")) {
      ObjectNode object = (ObjectNode) Yaml.parse(document);
      ResourceType type = Objects.requireNonNull(TYPES.get(Json.textOr(object, "", "kind")));
      client.create(type, Json.textOr(object, "", "metadata", "namespace"), object);
    }
  }

  @AfterEach
  void close() {
    http.close();
  }

  private CommandLineHarness.Result run(CommandLineHarness harness, String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.add("--kubeconfig=" + directory.resolve("kubeconfig"));
    return harness.run(line.toArray(String[]::new));
  }

  private CommandLineHarness.Result run(String... words) {
    return run(new CommandLineHarness(), words);
  }

  @Test
  @Provokes(ErrorCode.FL198)
  void v124AForeignProxyDoesNotSayHowFarItIs() {
    var result = run("wait", "svc/web", "--for=programmed");
    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(result.err()).contains("FL198", "a runs a proxy that does not say how far it is");
  }

  @Test
  void endpointsCanBeWaitedForEverywhere() {
    var result = run("wait", "svc/web", "--for=ready");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).matches("svc/web ready after .* \\(1/1\\)\n");
    JsonNode document =
        Json.parse(
            run("wait", "svc/web", "--for=serving=1", "-o", "json")
                .out()
                .getBytes(StandardCharsets.UTF_8));
    assertThat(Json.textOr(document, "", "kind")).isEqualTo("Wait");
    assertThat(document.path("done").asBoolean()).isTrue();
  }

  @Test
  void whatDoesNotComeInTimeEndsWith124() {
    var result = run("wait", "svc/web", "--for=serving=2", "--timeout=1ms");
    assertThat(result.exit()).isEqualTo(ExitCode.TIMED_OUT);
    assertThat(result.err()).contains("svc/web is not serving=2 after", "1/2");
    assertThat(run("wait", "svc/nosuch").exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(run("wait", "svc/web", "--for=gone").exit()).isEqualTo(ExitCode.USAGE);
    assertThat(run("wait").exit()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void v126VariablesFollowFromTheApiWhereNoAgentRecords() {
    var result = run("env", "pod/web-1", "svc/web");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).containsPattern("WEB_SERVICE_HOST=192.0.2.80 +model");
    var document = run("env", "pod/web-1", "-o", "json");
    assertThat(document.out()).contains("\"kind\" : \"Variables\"").doesNotContain("hunter2");
    assertThat(run("env", "pod/nosuch").exit()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aHistoryFromTheApiAloneSaysSo() {
    var result = run("history", "svc/web");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .endsWith("from the API alone: events of the last hour, no times of nodes\n");
    assertThat(run("history", "--since=soon").exit()).isEqualTo(ExitCode.USAGE);
    assertThat(
            run(new CommandLineHarness().with("FAIRLEAD_LANG", "zh-CN"), "history", "svc/web")
                .out())
        .contains("仅来自 API");
  }

  @Test
  void nodesThatCannotBeAskedCannotBeVerified() {
    var result = run("verify", "--all-nodes");
    assertThat(result.exit()).as(result.out()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(result.err()).contains("FL217");
    assertThat(run("verify", "--node=nosuch").exit()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  @Provokes(ErrorCode.FL228)
  void v125TheArchiveHasNoSecretsAndIsNeverOverwritten() throws IOException {
    Path file = directory.resolve("dump.tar.gz");
    var result = run("dump", "-n", "default", "--output=" + file);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("services: 1, nodes: 1, ", "left out: secrets, environments, commands")
        .endsWith("Look into it before you send it: tar tzf " + file + "\n");
    try (var in = new java.util.zip.GZIPInputStream(Files.newInputStream(file))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .contains("dump/objects/services.json", "192.0.2.80")
          .doesNotContain("hunter2");
    }
    var again = run("dump", "--output=" + file);
    assertThat(again.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(again.err()).contains("FL228");
  }
}
