package io.fairlead.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/// A cluster whose Services answer, by test classes that are run inside of one.
@Tag("system")
class NodeTest {
  private static final List<Path> FILES = new ArrayList<>();
  private static List<ProcessHandle> processes = List.of();

  private static EngineExecutionResults run(Class<?>... classes) {
    EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter");
    for (Class<?> each : classes) {
      kit.selectors(selectClass(each));
    }
    return kit.execute();
  }

  /// The namespaces of a process in which a node changes things.
  private static List<Path> namespaces(long process) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String kind : List.of("user", "net", "mnt")) {
      found.add(Files.readSymbolicLink(Path.of("/proc", Long.toString(process), "ns", kind)));
    }
    return found;
  }

  @FairleadCluster(node = FairleadCluster.Node.REQUIRED, testManifests = "hostnames.yaml")
  static class WithNode {
    @Test
    void servicesAnswer(TestCluster cluster, KubernetesClient client) throws Exception {
      FILES.add(cluster.kubeconfig());
      processes = ProcessHandle.current().descendants().toList();
      for (ProcessHandle each : ProcessHandle.current().children().toList()) {
        assertThat(namespaces(each.pid()))
            .as("nothing of the machine's can be changed")
            .doesNotContainAnyElementsOf(namespaces(ProcessHandle.current().pid()));
      }
      assertThat(cluster.get("http://hostnames").strip()).isEqualTo("hostnames-0");
      String name = "hostnames." + cluster.namespace() + ".svc.cluster.local";
      try (HttpClient http = cluster.http();
          Socket socket = cluster.connect(name, 80)) {
        String address = client.services().withName("hostnames").get().getSpec().getClusterIP();
        assertThat(answer(http, "http://" + address + "/").body().strip()).isEqualTo("hostnames-0");
        HttpResponse<String> unknown = answer(http, "http://nowhere/");
        assertThat(unknown.statusCode()).isEqualTo(502);
        assertThat(unknown.body()).contains("no address of `nowhere`", cluster.namespace());
        socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(UTF_8));
        assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
            .contains("200 OK", "hostnames-0");
      }
      assertThatThrownBy(() -> cluster.connect("hostnames", 81)).isInstanceOf(IOException.class);
      assertThat(client.pods().withName("hostnames-0").get().getStatus().getPhase())
          .isEqualTo("Running");
    }

    private static HttpResponse<String> answer(HttpClient http, String url) throws Exception {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60)).build();
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  @FairleadCluster(node = FairleadCluster.Node.ASSUMED)
  static class IfThereIsANode {
    @Test
    void runs() {}
  }

  @FairleadCluster
  static class WithoutNode {
    @Test
    void hasNoWayIn(TestCluster cluster) {
      assertThatThrownBy(() -> cluster.get("http://hostnames"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no node");
    }
  }

  @Test
  void servicesAnswerAndNothingStays() throws IOException {
    assumeThat(ClusterProgram.load().nodeObstacle()).as("why no node can run here").isEmpty();
    EngineExecutionResults results = run(WithoutNode.class, WithNode.class);
    assertThat(results.allEvents().failed().stream())
        .extracting(each -> each.getRequiredPayload(TestExecutionResult.class))
        .isEmpty();
    results.testEvents().assertStatistics(stats -> stats.succeeded(2));
    assertThat(processes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    assertThat(FILES).hasSize(1).noneMatch(file -> Files.exists(file.getParent()));
  }

  /// In a JVM that finds no program which makes a lab.
  @Test
  void whereNoneCanBeTheTestsFailOrAreSkipped() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            NodeTest.class.getName());
    builder.environment().put("PATH", "/nonexistent");
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said)
        .contains(
            "WithNode failed: no node can run here, which @FairleadCluster asks for: ",
            "FL224",
            "node = ASSUMED would skip the tests of NodeTest$WithNode",
            "IfThereIsANode aborted: ");
  }

  public static void main(String[] words) {
    for (Class<?> each : List.of(WithNode.class, IfThereIsANode.class)) {
      Events containers = run(each).containerEvents();
      System.out.println(told(each, "failed", containers.failed()));
      System.out.println(told(each, "aborted", containers.aborted()));
    }
  }

  private static String told(Class<?> type, String end, Events events) {
    return events.stream()
        .map(each -> each.getRequiredPayload(TestExecutionResult.class))
        .flatMap(each -> each.getThrowable().stream())
        .map(why -> type.getSimpleName() + " " + end + ": " + why.getMessage())
        .collect(Collectors.joining("\n"));
  }
}
