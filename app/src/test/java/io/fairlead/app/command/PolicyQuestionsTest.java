package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.insight.simulate.PolicyModel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead policy explain` and `simulate`, from an API that is not ours.
class PolicyQuestionsTest {
  @TempDir Path directory;
  private final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.PODS,
              ResourceType.NAMESPACES,
              ResourceType.NODES,
              ResourceType.SERVICES,
              PolicyModel.POLICIES));
  private final Client client = new Client(api);
  private TransportHttpServer http;

  @BeforeEach
  void serve() throws IOException {
    http = new TransportHttpServer(api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Files.writeString(directory.resolve("kubeconfig"), http.kubeconfig());
    for (String name : List.of("x", "y")) {
      create(ResourceType.NAMESPACES, "", "{metadata: {name: '" + name + "'}}");
    }
    create(
        ResourceType.NODES,
        "",
        "{metadata: {name: node1}, status: {addresses: [{type: InternalIP, address:"
            + " 192.168.0.1}]}}");
    pod("x", "a", "10.244.1.11");
    pod("x", "b", "10.244.1.12");
    pod("y", "b", "10.244.1.22");
    create(
        ResourceType.SERVICES,
        "x",
        "{metadata: {name: web, namespace: x}, spec: {selector: {pod: a}, ports: [{port: 8000,"
            + " targetPort: web}]}}");
  }

  @AfterEach
  void stop() {
    http.close();
    client.close();
  }

  private void create(ResourceType type, String namespace, String yaml) {
    client.create(type, namespace, (ObjectNode) Yaml.parse(yaml));
  }

  private void pod(String namespace, String name, String address) {
    create(
        ResourceType.PODS,
        namespace,
        "{metadata: {name: "
            + name
            + ", namespace: '"
            + namespace
            + "', uid: u-"
            + address
            + ", labels: {pod: "
            + name
            + "}}, spec: {nodeName: node1, containers: [{name: c, ports: [{name: web,"
            + " containerPort: 80}]}]}, status: {phase: Running, podIPs: [{ip: "
            + address
            + "}]}}");
  }

  private static final String WEB =
      "{kind: NetworkPolicy, metadata: {name: web, namespace: x}, spec: {podSelector: {matchLabels:"
          + " {pod: a}}, ingress: [{from: [{podSelector: {matchLabels: {pod: b}}}], ports: [{port:"
          + " 80}]}]}}";

  private CommandLineHarness.Result run(String... words) {
    List<String> all = new ArrayList<>(List.of("policy"));
    all.addAll(List.of(words));
    all.add("--kubeconfig=" + directory.resolve("kubeconfig"));
    return new CommandLineHarness().run(all.toArray(String[]::new));
  }

  @Test
  void anOpenPodIsReachedByEveryone() {
    CommandLineHarness.Result result = run("explain", "y/b", "x/a:80");
    assertThat(result.exit()).isEqualTo(ExitCode.FINE);
    assertThat(result.out())
        .isEqualTo(
            """
            allowed: y/b -> x/a 80/TCP
              egress  y/b is open: no policy selects it
              ingress  x/a is open: no policy selects it
            """);
  }

  @Test
  void pv97TheRuleThatComesNearestIsNamed() {
    create(PolicyModel.POLICIES, "x", WEB);
    CommandLineHarness.Result result = run("explain", "x/b", "x/a:81");
    assertThat(result.exit()).as("PV100").isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .isEqualTo(
            """
            denied: x/b -> x/a 81/TCP
              egress  x/b is open: no policy selects it
              ingress  FL160 dropped at x/a: no policy lets x/b in on 81/TCP. Isolated by x/web
              next: x/web allows the same peer on 80/TCP
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "x/b, x/a:80,       0, ingress  x/a allows it by x/web ingress[0].from[0].ports[0]",
    "x/b, x/a:80/UDP,   3, no policy lets x/b in on 80/UDP",
    "x/b, x/a,          3, no policy lets x/b in on ICMP",
    "y/b, x/a:80,       3, next: x/web allows it from pod=b of namespace x",
    "x/a, x/a:81,       0, a pod always reaches itself",
    "192.168.0.1, x/a:81, 0, a node and its pods always reach each other",
    "192.0.2.9, x/a:80, 3, egress  192.0.2.9 is no pod: policies do not isolate it",
    "x/a, y/b:1,        0, egress  x/a is open: no policy selects it"
  })
  void connections(String from, String to, int exit, String said) {
    create(PolicyModel.POLICIES, "x", WEB);
    CommandLineHarness.Result result = run("explain", from, to);
    assertThat(result.out()).contains(said);
    assertThat(result.exit()).isEqualTo(exit);
  }

  @ParameterizedTest
  @CsvSource({
    "explain x/q x/a:80, FROM",
    "explain x/a x/b:99999, TO",
    "explain x/a, FROM TO",
    "exlpain, explain",
    "simulate, -f FILE"
  })
  void whatCannotBeAskedIsRefused(String words, String said) {
    CommandLineHarness.Result result = run(words.split(" "));
    assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains(said);
  }

  @Test
  void aPolicyThatWouldCutAServiceOffIsTold() throws IOException {
    Path file = Files.writeString(directory.resolve("web.yaml"), WEB);
    CommandLineHarness.Result result = run("simulate", "-f", file.toString());
    assertThat(result.out())
        .isEqualTo(
            """
            Service x/web, x/a on 80/TCP: 1 clients are cut off, 0 are let in, 1 stay
              ✗ y/b  FL160 dropped at x/a: no policy lets y/b in on 80/TCP. Isolated by x/web
            """);
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
  }

  @Test
  void clientsOutsideOfTheClusterAreTold() throws IOException {
    create(
        ResourceType.SERVICES,
        "x",
        "{metadata: {name: public, namespace: x}, spec: {type: NodePort, selector: {pod: a}, ports:"
            + " [{port: 80}]}}");
    Path file = Files.writeString(directory.resolve("web.yaml"), WEB);
    assertThat(run("simulate", "-f", file.toString()).out())
        .contains(
            "Service x/public, x/a on 80/TCP: 2 clients are cut off",
            "✗ 203.0.113.1 (outside of the cluster)  FL160 dropped at x/a: no policy lets"
                + " 203.0.113.1 in on 80/TCP. Isolated by x/web");
  }

  @Test
  void aPolicyThatOpensIsToldToo() throws IOException {
    create(PolicyModel.POLICIES, "x", WEB);
    Path file =
        Files.writeString(
            directory.resolve("open.yaml"),
            "kind: NetworkPolicy\nmetadata: {name: web, namespace: x}\nspec: {podSelector: {},"
                + " ingress: [{}]}\n");
    CommandLineHarness.Result result = run("simulate", "-f", file.toString());
    assertThat(result.out()).contains("0 clients are cut off, 1 are let in, 1 stay", "✓ y/b");
    assertThat(result.exit()).isEqualTo(ExitCode.FINE);
  }

  @Test
  void aPolicyThatChangesNothing() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("other.yaml"),
            "kind: NetworkPolicy\nmetadata: {name: o, namespace: 'y'}\nspec: {podSelector: {}}\n");
    CommandLineHarness.Result result = run("simulate", "-f", file.toString());
    assertThat(result.out()).isEqualTo("no client of a Service is cut off or let in\n");
    assertThat(result.exit()).isEqualTo(ExitCode.FINE);
  }
}
