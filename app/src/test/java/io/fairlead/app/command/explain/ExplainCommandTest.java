package io.fairlead.app.command.explain;

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

/// `fairlead explain` against an API whose nodes are not ours: what the API says is judged, the
/// rest is unknown.
class ExplainCommandTest {
  private static final Map<String, ResourceType> TYPES =
      Map.of(
          "Service", ResourceType.SERVICES,
          "EndpointSlice", ResourceType.ENDPOINT_SLICES,
          "Pod", ResourceType.PODS,
          "Node", ResourceType.NODES,
          "Lease", ResourceType.LEASES,
          "Endpoints", ResourceType.ENDPOINTS,
          "Deployment", ResourceType.DEPLOYMENTS,
          "StatefulSet", ResourceType.STATEFUL_SETS,
          "ReplicaSet", ResourceType.REPLICA_SETS,
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
      metadata: {name: web, namespace: default}
      spec:
        type: ClusterIP
        clusterIP: 192.0.2.80
        selector: {app: web}
        ports: [{name: http, port: 80, protocol: TCP, targetPort: 8080}]
      ---
      kind: Pod
      metadata: {name: web-1, namespace: default, labels: {app: web}}
      spec: {nodeName: a, containers: [{name: web, image: web}]}
      status:
        phase: Running
        podIP: 192.0.2.81
        podIPs: [{ip: 192.0.2.81}]
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
      - addresses: [192.0.2.81]
        conditions: {ready: true, serving: true, terminating: false}
        nodeName: a
        targetRef: {kind: Pod, name: web-1}
      ---
      kind: Service
      metadata: {name: typo, namespace: default}
      spec:
        type: ClusterIP
        clusterIP: 192.0.2.90
        selector: {app: webb}
        ports: [{port: 80, protocol: TCP, targetPort: 8080}]
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

  private CommandLineHarness.Result explain(String... words) {
    return explain(new CommandLineHarness(), words);
  }

  private CommandLineHarness.Result explain(CommandLineHarness harness, String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.add("--kubeconfig=" + directory.resolve("kubeconfig"));
    line.add("--request-timeout=30s");
    return harness.run(line.toArray(String[]::new));
  }

  @Test
  void aPolicyThatNoNodeEnforcesIsBroken() {
    Client client = new Client(api);
    client.create(
        Objects.requireNonNull(TYPES.get("NetworkPolicy")),
        "default",
        (ObjectNode)
            Yaml.parse(
                "{metadata: {name: web, namespace: default}, spec: {podSelector: {matchLabels:"
                    + " {app: web}}}}"));
    var result = explain("explain", "netpol/web");
    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .startsWith(
            "NetworkPolicy default/web   ingress   applies to 1 pods   rules: 0   in force on 0 of"
                + " 1 nodes\n\n")
        .contains("✓ Selector   app=web selects 1 pods ")
        .contains("✗ Nodes      not enforced on a: no policy component reports there ")
        .endsWith(
            "Broken: not enforced on a: no policy component reports there (FL169).\n"
                + "Next: kubectl get leases -n kube-public -l fairlead.dev/policy\n");
    assertThat(explain("explain", "networkpolicy/web", "-o", "name").out())
        .isEqualTo("networkpolicy/web\nFL169\n");
    assertThat(explain("explain", "netpol/none").err()).contains("FL303", "netpol/default/none");
    assertThat(explain("explain", "netpol").err()).contains("kubectl explain netpol");
  }

  @Test
  void aServiceThatLooksRightIsNotCalledBroken() {
    var result = explain("explain", "svc/web", "--no-probe");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .startsWith(
            "Service default/web   ClusterIP 192.0.2.80   port http 80/TCP → 8080   1 of 1 pods"
                + " serve\n\n")
        .contains("✓ Selector   app=web selects 1 pod ")
        .containsPattern("   ✓ web-1  192.0.2.81:8080  node a  ready for ")
        .contains("– Rules      unknown: no node answers questions\n")
        .endsWith(
            "\nLooks right in the API; nothing below it could be checked (not asked"
                + " (--no-probe)).\n");
    assertThat(explain("explain", "svc/web", "--no-probe", "--strict").exit())
        .isEqualTo(ExitCode.FAULT_FOUND);
  }

  @Test
  void aWrongSelectorIsAFaultWithACommandThatMendsIt() {
    var result = explain("why", "typo.default", "--no-probe");
    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .contains(
            "✗ Selector   app=webb selects no pod; nearest: 1 pods have app=web (differs in app) ")
        .endsWith(
            "Broken: app=webb selects no pod; nearest: 1 pods have app=web (differs in app)"
                + " (FL102).\nNext: kubectl patch svc typo -n default -p"
                + " '{\"spec\":{\"selector\":{\"app\":\"web\"}}}'\n");
  }

  @Test
  void chineseSentencesKeepNamesAndCodes() {
    var result =
        explain(
            new CommandLineHarness().with("FAIRLEAD_LANG", "zh-CN"),
            "explain",
            "svc/typo",
            "--no-probe");
    assertThat(result.out())
        .contains("✗ Selector   app=webb 未选中任何 Pod；最接近的：1 个 Pod 带有 app=web（app 不同）")
        .contains("（FL102）。\n下一步：kubectl patch svc typo");
  }

  @Test
  void documentsAreForPrograms() {
    JsonNode document =
        Json.parse(
            explain("explain", "svc/typo", "--no-probe", "-o", "json")
                .out()
                .getBytes(StandardCharsets.UTF_8));
    assertThat(Json.textOr(document, "", "kind")).isEqualTo("Explanation");
    assertThat(Json.textOr(document, "", "verdict")).isEqualTo("Broken");
    assertThat(Json.textOr(document, "", "code")).isEqualTo("FL102");
    assertThat(document.path("findings").path(0).path("values").path("key").asString())
        .isEqualTo("app");
    assertThat(explain("explain", "svc/typo", "--no-probe", "-o", "name").out())
        .isEqualTo("service/typo\nFL102\n");
    assertThat(explain("explain", "svc/typo", "--no-probe", "-o", "yaml").out())
        .contains("kind: Explanation", "code: FL102");
  }

  @Test
  void allServicesAtAGlanceTheWorstFirst() {
    var result = explain("explain", "-A");
    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out().lines())
        .containsExactly(
            "✗ default/typo  app=webb selects no pod; nearest: 1 pods have app=web (differs in"
                + " app)  FL102",
            "✓ default/web");
  }

  @Test
  void aPodKnowsItsServices() {
    var result = explain("explain", "pod/web-1");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("Pod default/web-1   192.0.2.81   node a   Running, ready since ")
        .contains("✓ Services   serves web ")
        .contains("– Nearly     typo would select it but for one label ");
  }

  @Test
  void aNodeThatCannotBeAskedIsUnknown() {
    var result = explain("explain", "node/a");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .startsWith("Node a")
        .contains("– Proxy      unknown: no node answers questions");
  }

  @Test
  void aPortThatTheServiceLacksIsNamed() {
    var result = explain("explain", "svc/web", "--port=81", "--no-probe");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .isEqualTo(
            "Broken: web has no port 81; it has 80 http (FL125).\nNext: use one of 80 http\n");
  }

  @Test
  void v9AServiceOfAnotherNamespaceIsFound() {
    var result = explain("explain", "svc/web", "-n", "shop", "--no-probe");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .startsWith("Broken: there is no Service web in shop, but in default (FL101).\n");
  }

  @Test
  @Provokes(ErrorCode.FL100)
  void v10AServiceThatIsNowhereIsAnError() {
    var result = explain("explain", "svc/nosuch");
    assertThat(result.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(result.err()).contains("FL100", "default/nosuch", "list them");
    assertThat(explain("explain", "svc/wbe").err()).contains("did you mean svc/web?");
  }

  @Test
  void v11ABareKindIsAQuestionToKubectl() {
    var result = explain("explain", "service");
    assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err())
        .isEqualTo(
            "That is `kubectl explain service`. For one Service: `fairlead explain svc/NAME`.\n");
  }

  @Test
  void waitingEndsWithItsTime() {
    var result = explain("explain", "svc/typo", "--no-probe", "--wait=100ms");
    assertThat(result.exit()).isEqualTo(ExitCode.TIMED_OUT);
    assertThat(result.err()).contains("(FL102)");
  }

  @Test
  void everyFindingHasAHelpPage() {
    var result = new CommandLineHarness().run("help", "FL124");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).contains("FL124: {port} is open on {address} only", "0.0.0.0");
  }
}
