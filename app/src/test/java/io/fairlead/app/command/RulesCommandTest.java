package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead rules` against an API that is not ours.
class RulesCommandTest {
  private static final ResourceType SERVICES =
      new ResourceType("", "v1", "services", "Service", true);
  private static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  private static final ResourceType NODES = new ResourceType("", "v1", "nodes", "Node", false);

  @TempDir Path directory;
  private final FakeApi api = new FakeApi(List.of(SERVICES, SLICES, NODES));
  private TransportHttpServer http;

  @BeforeEach
  void serve() throws IOException {
    http = new TransportHttpServer(api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Files.writeString(directory.resolve("kubeconfig"), http.kubeconfig());
    Client client = new Client(api);
    client.create(
        SERVICES,
        "default",
        (ObjectNode)
            Yaml.parse(
                """
                metadata: {name: web, namespace: default}
                spec: {type: ClusterIP, clusterIP: 10.112.0.1, ports: [{name: h, port: 80}]}
                """));
    client.create(
        SLICES,
        "default",
        (ObjectNode)
            Yaml.parse(
                """
                metadata:
                  name: web-1
                  namespace: default
                  labels: {kubernetes.io/service-name: web}
                addressType: IPv4
                ports: [{name: h, port: 8080}]
                endpoints:
                - {addresses: [10.64.1.11], conditions: {ready: true}}
                - {addresses: [10.64.2.11], conditions: {ready: false}}
                """));
  }

  @AfterEach
  void close() {
    http.close();
  }

  private CommandLineHarness.Result rules(String... words) {
    List<String> line = new ArrayList<>(List.of("rules"));
    line.addAll(List.of(words));
    line.add("--kubeconfig=" + directory.resolve("kubeconfig"));
    return new CommandLineHarness().run(line.toArray(String[]::new));
  }

  @Test
  void verdictsReasonsAndRulesOfEveryMode() {
    var result = rules("svc/web", "--mode=all", "--node=node-a");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("CLUSTER_IP 10.112.0.1:80  to 10.64.1.11:8080")
        .contains("not used: 10.64.2.11:8080  NOT_READY")
        .contains("-j DNAT --to-destination 10.64.1.11:8080")
        .contains("# nftables IPv4", "10.112.0.1 . tcp . 80");
  }

  @Test
  void oneModeShowsOnlyItself() {
    assertThat(rules("default/web").out()).contains("*nat").doesNotContain("nftables");
  }

  @Test
  @Provokes(ErrorCode.FL100)
  void aServiceThatIsNotThereIsNamed() {
    var result = rules("svc/nope");
    assertThat(result.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(result.err()).contains("FL100", "default/nope");
    assertThat(rules("svc/wep").err()).contains("did you mean svc/web?");
  }
}
