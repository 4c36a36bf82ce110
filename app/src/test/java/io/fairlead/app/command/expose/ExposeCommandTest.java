package io.fairlead.app.command.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.Provokes;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
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

/// `fairlead expose` against an API without controllers: slices are what the test writes.
class ExposeCommandTest {
  private static final String DEPLOYMENT =
      """
      metadata: {name: web, namespace: default, labels: {team: shop}}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: web, ports: [%s]}]}
      """;

  @TempDir Path directory;
  private final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.SERVICES,
              ResourceType.ENDPOINT_SLICES,
              ResourceType.NODES,
              ResourceType.PODS,
              ResourceType.DEPLOYMENTS));
  private final Client client = new Client(api);
  private TransportHttpServer http;

  @BeforeEach
  void serve() throws IOException {
    http = new TransportHttpServer(api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Files.writeString(directory.resolve("kubeconfig"), http.kubeconfig());
  }

  @AfterEach
  void stop() {
    http.close();
    client.close();
  }

  private void create(ResourceType type, String yaml) {
    client.create(type, "default", (ObjectNode) Yaml.parse(yaml));
  }

  private void deployment(String ports) {
    create(ResourceType.DEPLOYMENTS, DEPLOYMENT.formatted(ports));
  }

  /// As the controller would write it for a Service of that name.
  private void slice(String service, String... addresses) {
    StringBuilder endpoints = new StringBuilder();
    for (String address : addresses) {
      endpoints.append("{addresses: [").append(address).append("], conditions: {ready: true}},");
    }
    create(
        ResourceType.ENDPOINT_SLICES,
        "{metadata: {name: %s-1, namespace: default, labels: {kubernetes.io/service-name: %s}}, addressType: IPv4, endpoints: [%s]}"
            .formatted(service, service, endpoints));
  }

  private CommandLineHarness.Result expose(String... words) {
    List<String> line = new ArrayList<>(List.of("expose"));
    line.addAll(List.of(words));
    line.add("--kubeconfig=" + directory.resolve("kubeconfig"));
    return new CommandLineHarness().run(line.toArray(String[]::new));
  }

  private ObjectNode service(String name) {
    return client.get(ResourceType.SERVICES, new ObjectKey("default", name));
  }

  @Test
  void aDeploymentGetsAServiceByItsLabelsAndPorts() {
    deployment("{containerPort: 9376}");
    slice("web", "10.244.0.2", "10.244.0.3");
    var result = expose("deploy/web");
    assertThat(result.err()).isEqualTo("Undo: kubectl delete service web -n default\n");
    assertThat(result.exit()).isZero();
    assertThat(result.out())
        .contains("✓ Service default/web", "9376/TCP → 9376", "2 pods serve")
        .contains("in a pod:    curl http://web.default:9376\n");
    ObjectNode service = service("web");
    assertThat(Json.at(service, "spec", "selector")).isEqualTo(Yaml.parse("{app: web}"));
    assertThat(Json.at(service, "metadata", "labels")).isEqualTo(Yaml.parse("{team: shop}"));
  }

  /// The name of a kind as kubectl takes it; what is said; port and target.
  @ParameterizedTest(name = "{0} {1}: {2} → {3}")
  @CsvSource({
    "deployments/web, --port=80, 80, 9376",
    "deployment.apps/web, --port=9376, 9376, 9376",
    "Deployment/web, --port=80 --target-port=http, 80, http",
    "deploy/web, --port=80 --target-port=9376, 80, 9376",
    "deploy/web, --port=80 --target-port=8080, 80, 8080",
    "deploy/web, --type=NodePort, 9376, 9376",
  })
  void aPortLeadsToThatOfTheContainers(String what, String flags, int port, String target) {
    deployment("{name: http, containerPort: 9376}");
    List<String> words = new ArrayList<>(List.of(what, "--dry-run"));
    words.addAll(List.of(flags.split(" ")));
    var result = expose(words.toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    var made = Json.at((ObjectNode) Yaml.parse(result.out()), "spec", "ports").path(0);
    assertThat(made.path("port").asInt()).isEqualTo(port);
    assertThat(made.path("targetPort").asString()).isEqualTo(target);
    assertThat(client.find(ResourceType.SERVICES, new ObjectKey("default", "web"))).isEmpty();
  }

  @Test
  void severalPortsHaveNames() {
    deployment("{containerPort: 80}, {name: dns, containerPort: 53, protocol: UDP}");
    slice("web", "10.244.0.2");
    var result = expose("deploy", "web");
    assertThat(result.out())
        .contains("80/TCP → 80, 53/UDP → 53", "curl http://web.default\n", "    web.default:53\n");
    assertThat(Json.at(service("web"), "spec", "ports").valueStream())
        .extracting(each -> each.path("name").asString())
        .containsExactly("port-80", "dns");
  }

  @Test
  void whereNoPodServesThatIsAFaultWithANextStep() {
    deployment("{containerPort: 80}");
    var result = expose("deploy/web", "--timeout=0s");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out()).contains("! Service default/web", "no pod serves yet");
    assertThat(result.err()).contains("Next: fairlead explain svc/web -n default");
  }

  /// The ports of the containers, what is said, and what must be in the answer.
  @ParameterizedTest(name = "[{0}] {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "| deploy/web | fairlead expose deploy/web --port 80",
        "{containerPort: 80}, {containerPort: 81} | deploy/web --port=82 | 80/TCP, 81/TCP",
        "{containerPort: 80} | pod/bare | kubectl label pod/bare app=bare",
      })
  @Provokes(ErrorCode.FL231)
  void whatCannotBeExposedIsRefused(String ports, String words, String said) {
    deployment(ports == null ? "" : ports);
    create(
        ResourceType.PODS,
        "{metadata: {name: bare, namespace: default}, spec: {containers: [{name: a, image: a}]}}");
    var result = expose(words.split(" "));
    assertThat(result.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(result.err()).contains("(FL231)", said);
  }

  @Test
  void aServiceThatIsThereStays() {
    deployment("{containerPort: 80}");
    slice("web", "10.244.0.2");
    assertThat(expose("deploy/web").exit()).isZero();
    var again = expose("deploy/web", "--port=8080");
    assertThat(again.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(again.err()).contains("there is a Service web already", "--name web-2");
    assertThat(Json.at(service("web"), "spec", "ports").path(0).path("port").asInt()).isEqualTo(80);
  }

  @Test
  void whatIsNotThereOrNoWorkloadIsNamed() {
    assertThat(expose("deploy/nope").err())
        .contains("(FL303)", "kubectl get deployments -n default");
    assertThat(expose("svc/web").err()).contains("(FL303)", "\"svc/web\"");
    assertThat(expose().err()).contains("(FL308)", "deploy/NAME");
  }

  @Test
  void programsGetTheService() {
    deployment("{containerPort: 80}");
    slice("web", "10.244.0.2");
    var result = expose("deploy/web", "-o", "json");
    assertThat(Json.textOr(Yaml.parse(result.out()), "", "kind")).isEqualTo("Service");
    assertThat(result.err()).isEmpty();
  }
}
