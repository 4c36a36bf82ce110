package io.fairlead.app.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.insight.simulate.PolicyModel;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead simulate` against an API whose proxies are not ours: slices and rules by the model.
class SimulateCommandTest {
  private static final List<ResourceType> TYPES =
      List.of(
          ResourceType.PODS,
          ResourceType.NAMESPACES,
          ResourceType.NODES,
          ResourceType.SERVICES,
          ResourceType.ENDPOINT_SLICES,
          ResourceType.DEPLOYMENTS,
          ResourceType.REPLICA_SETS,
          ResourceType.STATEFUL_SETS,
          ResourceType.CONFIG_MAPS,
          PolicyModel.POLICIES);

  @TempDir Path directory;
  private final FakeApi api = new FakeApi(TYPES);
  private final Client client = new Client(api);
  private TransportHttpServer http;
  private String owner = "";

  @BeforeEach
  void serve() throws IOException {
    http = new TransportHttpServer(api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Files.writeString(directory.resolve("kubeconfig"), http.kubeconfig());
    create(
        ResourceType.NODES,
        "",
        "{metadata: {name: a}, status: {conditions: [{type: Ready, status: 'True'}], addresses:"
            + " [{type: InternalIP, address: 192.0.2.11}]}}");
    ObjectNode service =
        client.create(
            ResourceType.SERVICES,
            "default",
            object(
                "{metadata: {name: web, namespace: default}, spec: {type: ClusterIP, clusterIP:"
                    + " 10.0.1.175, clusterIPs: [10.0.1.175], ipFamilies: [IPv4], selector: {app:"
                    + " web}, ports: [{port: 80, protocol: TCP, targetPort: 9376}]}}"));
    ObjectNode deployment =
        client.create(
            ResourceType.DEPLOYMENTS,
            "default",
            object(
                "{metadata: {name: web, namespace: default}, spec: {replicas: 2, template:"
                    + " {metadata: {labels: {app: web}}}}}"));
    owner = Json.textOr(deployment, "", "metadata", "uid");
    StringBuilder endpoints = new StringBuilder();
    for (int i = 1; i <= 2; i++) {
      pod("web-" + i, "web", "10.244.1." + i);
      endpoints
          .append(i > 1 ? ", " : "")
          .append("{addresses: [10.244.1.")
          .append(i)
          .append("], conditions: {ready: true, serving: true, terminating: false}, nodeName: a,")
          .append(" targetRef: {kind: Pod, namespace: default, name: web-")
          .append(i)
          .append("}}");
    }
    pod("client", "client", "10.244.1.20");
    create(
        ResourceType.ENDPOINT_SLICES,
        "default",
        "{metadata: {name: web-abcde, namespace: default, labels: {kubernetes.io/service-name: web,"
            + " endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io},"
            + " ownerReferences: [{apiVersion: v1, kind: Service, name: web, uid: '"
            + Json.textOr(service, "", "metadata", "uid")
            + "'}]}, addressType: IPv4, ports: [{name: '', port: 9376, protocol: TCP}], endpoints: ["
            + endpoints
            + "]}");
  }

  @AfterEach
  void stop() {
    http.close();
    client.close();
  }

  private static ObjectNode object(String yaml) {
    return (ObjectNode) Yaml.parse(yaml);
  }

  private void create(ResourceType type, String namespace, String yaml) {
    client.create(type, namespace, object(yaml));
  }

  private void pod(String name, String app, String address) {
    create(
        ResourceType.PODS,
        "default",
        "{metadata: {name: %s, namespace: default, labels: {app: %s}, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: '%s'}]}, spec: {nodeName: a}, status: {phase: Running, podIP: %s, podIPs: [{ip: %s}], conditions: [{type: Ready, status: 'True'}]}}"
            .formatted(name, app, app.equals("web") ? owner : "none", address, address));
  }

  private CommandLineHarness.Result run(String... words) {
    List<String> all = new ArrayList<>(List.of("simulate"));
    all.addAll(List.of(words));
    all.add("--kubeconfig=" + directory.resolve("kubeconfig"));
    return new CommandLineHarness().run(all.toArray(String[]::new));
  }

  private String state() {
    StringBuilder all = new StringBuilder();
    for (ResourceType type : TYPES) {
      client.listAll(type, "", ListOptions.ALL, all::append);
    }
    return all.toString();
  }

  @Test
  void aPodThatWouldGoLeavesItsShareToTheOthers() {
    String before = state();
    CommandLineHarness.Result result = run("--kill=pod/web-1");
    assertThat(result.out())
        .isEqualTo(
            """
            default/web   2 → 1 endpoints (−10.244.1.1)
              slices        web-abcde changed
              shares        10.244.1.1 50 → 0 %, 10.244.1.2 50 → 100 %
              rules         +0 −3 (iptables): a
            Nothing was changed. 1 of 1 Services are affected.
            """);
    assertThat(result.err()).contains("No node tells its mode");
    assertThat(result.exit()).isEqualTo(ExitCode.FINE);
    assertThat(state()).as("nothing was changed").isEqualTo(before);
  }

  @Test
  void theModeOfForeignProxiesIsWhatTheirConfigMapSays() {
    create(
        ResourceType.CONFIG_MAPS,
        "kube-system",
        """
        metadata: {name: kube-proxy, namespace: kube-system}
        data:
          config.conf: |
            apiVersion: kubeproxy.config.k8s.io/v1alpha1
            kind: KubeProxyConfiguration
            mode: nftables
        """);
    CommandLineHarness.Result result = run("--kill=pod/web-1");
    assertThat(result.out()).contains("(nftables): a");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void aPolicyThatWouldCutOffAClientIsAFault() throws IOException {
    Path file = directory.resolve("policy.yaml");
    Files.writeString(
        file,
        """
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: closed}
        spec: {podSelector: {matchLabels: {app: web}}}
        """);
    CommandLineHarness.Result result = run("-f", file.toString(), "svc/web");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .contains("policy default/closed does not let default/client reach 9376/TCP   FL160");
  }

  @Test
  void documentsHaveStableFields() {
    CommandLineHarness.Result result = run("--scale=deploy/web=0", "-o", "json");
    JsonNode document = Json.parse(result.out().getBytes(StandardCharsets.UTF_8));
    assertThat(document.propertyNames())
        .containsExactly(
            "apiVersion", "kind", "allServices", "breaks", "ignored", "notes", "services");
    assertThat(document.path("services").path(0).propertyNames())
        .containsExactly(
            "namespace",
            "name",
            "noticeable",
            "before",
            "after",
            "slices",
            "shares",
            "rules",
            "connections",
            "findings",
            "notes");
    assertThat(document.path("services").path(0).path("connections").isNull())
        .as("no node was asked: unknown, not 0")
        .isTrue();
  }

  @Test
  void chineseIsSpokenToo() {
    CommandLineHarness.Result result =
        new CommandLineHarness()
            .with("LANG", "zh_CN.UTF-8")
            .run("simulate", "--kill=pod/web-1", "--kubeconfig=" + directory.resolve("kubeconfig"));
    assertThat(result.out()).contains("没有做任何更改。1 个 Service 中有 1 个受影响。");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "--kill, pod/nosuch, one that exists, 2",
    "--kill, svc/web, pod/NAME, 2",
    "--scale, deploy/web, deploy/NAME=N, 2",
    "--label, pod/web-1, pod/NAME=KEY=VALUE, 2",
    "--down, pod/web-1, node/NAME, 2",
    "--mode, ebpf, iptables, 2",
    "-f, /nonexistent, cannot read the file, 2",
    "-n, default, '--scale, --kill', 2",
  })
  void whatIsWrongIsNamed(String flag, String value, String says, int exit) {
    CommandLineHarness.Result result = run(flag, value);
    assertThat(result.err()).contains(says);
    assertThat(result.exit()).isEqualTo(exit);
  }
}
