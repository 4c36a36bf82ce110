package io.fairlead.app.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ExitCode;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead nodrop` where it does not begin. What it does to a Service that works is shown on a
/// running node.
class NodropCommandTest {
  @TempDir Path directory;
  private final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.PODS,
              ResourceType.NAMESPACES,
              ResourceType.NODES,
              ResourceType.SERVICES,
              ResourceType.ENDPOINT_SLICES,
              ResourceType.DEPLOYMENTS,
              ResourceType.LEASES));
  private final Client client = new Client(api);
  private TransportHttpServer http;

  @BeforeEach
  void serve() throws IOException {
    http = new TransportHttpServer(api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Files.writeString(directory.resolve("kubeconfig"), http.kubeconfig());
    client.create(
        ResourceType.SERVICES,
        "default",
        (ObjectNode)
            Yaml.parse(
                "{metadata: {name: web, namespace: default}, spec: {type: ClusterIP, clusterIP:"
                    + " 127.0.0.1, clusterIPs: [127.0.0.1], ipFamilies: [IPv4], selector: {app:"
                    + " nothing}, ports: [{port: 1, protocol: TCP, targetPort: 1}]}}"));
  }

  @AfterEach
  void stop() {
    http.close();
    client.close();
  }

  private CommandLineHarness.Result run(List<String> words) {
    List<String> all = new ArrayList<>(words);
    all.addFirst("--kubeconfig=" + directory.resolve("kubeconfig"));
    all.addFirst("nodrop");
    return new CommandLineHarness().run(all.toArray(String[]::new));
  }

  @Test
  void vector117TheCommandIsNotRunWhenTheServiceDoesNotWork() {
    Path ran = directory.resolve("ran");
    CommandLineHarness.Result result = run(List.of("svc/web", "--", "touch", ran.toString()));
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .contains("Broken: app=nothing selects no pod", "the command was not run");
    assertThat(ran).doesNotExist();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "svc/nosuch -- true, there is no Service default/nosuch, 1",
    "pod/web -- true, svc/NAME, 2",
    "svc/web, svc/NAME -- COMMAND, 2",
    "svc/web --rate 2001 -- true, 1-2000, 2",
    "svc/web --port 81 -- true, web has no port 81; it has 1, 3",
  })
  void whatIsWrongIsNamed(String line, String says, int exit) {
    CommandLineHarness.Result result = run(List.of(line.split(" ")));
    assertThat(result.err() + result.out()).contains(says);
    assertThat(result.exit()).isEqualTo(exit);
  }
}
