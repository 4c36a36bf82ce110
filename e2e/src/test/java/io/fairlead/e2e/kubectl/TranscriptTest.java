package io.fairlead.e2e.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.fairlead.e2e.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Runs every installed kubectl through the recorded commands, each version on a server of its own.
@Tag("system")
final class TranscriptTest {
  private static final List<String> AREAS =
      List.of("seeds", "get", "describe", "write", "rollout", "auth-and-api", "watch");
  private static final List<Integer> RECORDED = List.of(32, 27, 20);
  private static final int PATIENCE_SECONDS = 60;

  /// What was done while a watch was recorded.
  private static final List<String> CHANGES =
      List.of("kubectl create -f w1.yaml", "kubectl label svc w1 a=b", "kubectl delete svc w1");

  /// The oldest and the newest at hand, and those between that ask for something else: the first
  /// with server-side validation in OpenAPI 3, the first that sends protobuf.
  private static final List<Integer> VERSIONS =
      Stream.of(System.getProperty("fairlead.test.kubectl", "20,27,29,32,33").split(","))
          .map(Integer::valueOf)
          .toList();

  @TempDir private Path directory;

  @TestFactory
  Stream<DynamicNode> everyInstalledKubectlPrintsWhatItPrintsAgainstTheOriginal()
      throws IOException {
    List<Path> binaries = Kubectl.installed();
    if (binaries.isEmpty()) {
      return Stream.of(
          DynamicTest.dynamicTest(
              "no kubectl", () -> abort("no kubectl here; ./dev test unpacks one")));
    }
    return binaries.stream()
        .filter(binary -> VERSIONS.contains(Kubectl.minorOf(binary)))
        .map(this::versionNode);
  }

  private DynamicNode versionNode(Path binary) {
    int minor = Kubectl.minorOf(binary);
    List<DynamicNode> nodes = new ArrayList<>();
    Session session = new Session(binary, directory.resolve("kubectl-" + minor));
    nodes.add(DynamicTest.dynamicTest("a server starts", session::begin));
    for (String area : AREAS) {
      List<DynamicNode> steps = new ArrayList<>();
      for (Transcript.Step step : steps(area, minor)) {
        steps.add(DynamicTest.dynamicTest(step.command(), () -> session.run(step)));
      }
      nodes.add(DynamicContainer.dynamicContainer(area, steps));
    }
    nodes.add(DynamicTest.dynamicTest("the server stops", session::end));
    return DynamicContainer.dynamicContainer("kubectl 1." + minor, nodes);
  }

  /// The newest recording that is not newer than this kubectl.
  private static List<Transcript.Step> steps(String area, int minor) {
    for (int recorded : RECORDED) {
      if (recorded <= minor) {
        List<Transcript.Step> steps = Transcript.recorded("kubectl-1." + recorded + "-" + area);
        if (!steps.isEmpty()) {
          return steps;
        }
      }
    }
    return List.of();
  }

  /// One kubectl version and its server. Used by the steps in their order.
  private static final class Session {
    private final Path binary;
    private final Path home;
    private @Nullable TestServer server;
    private @Nullable Kubectl kubectl;
    private @Nullable TranscriptSetup standIn;
    private int edits;

    Session(Path binary, Path home) {
      this.binary = binary;
      this.home = home;
    }

    void begin() throws IOException {
      Files.createDirectories(home);
      TestServer started =
          TestServer.withWorkloads(Files.createDirectories(home.resolve("data")), 36);
      server = started;
      started.writeKubeconfig(home.resolve("config"));
      Path manifests = Files.createDirectories(home.resolve("manifests"));
      copyManifests(manifests);
      kubectl = Kubectl.install(binary, home, manifests);
      TranscriptSetup cluster = new TranscriptSetup(started.caller());
      cluster.begin();
      standIn = cluster;
    }

    void run(Transcript.Step step) throws IOException, InterruptedException {
      Kubectl client = Objects.requireNonNull(kubectl, "no server");
      prepare(client, step);
      TranscriptSetup cluster = Objects.requireNonNull(standIn);
      cluster.before(step.command());
      Kubectl.Result result =
          step.exit().equals("timeout")
              ? client.follow(step.command(), CHANGES, PATIENCE_SECONDS)
              : client.run(step.command(), environment(step), PATIENCE_SECONDS);
      cluster.after(step.command());
      Optional<Transcript.Step> decided = TranscriptDifferences.decided(client.minor(), step);
      String printed = result.stdout() + "\n" + result.stderr();
      assertThat(compare(decided.orElse(step), result)).as(printed).isEmpty();
      if (decided.isPresent()) {
        assertThat(compare(step, result))
            .as("prints what was recorded, so it is no longer a difference")
            .isNotEmpty();
      }
    }

    void end() {
      if (server != null) {
        server.close();
      }
    }

    /// What the recordings did between the commands.
    private void prepare(Kubectl client, Transcript.Step step)
        throws IOException, InterruptedException {
      if (step.command().startsWith("kubectl edit configmap kube-proxy") && edits++ == 0) {
        client.run("kubectl apply -f proxy.yaml", Map.of(), 30);
      }
    }

    private Map<String, String> environment(Transcript.Step step) {
      if (!step.command().startsWith("kubectl edit")) {
        return Map.of();
      }
      String editor = edits == 1 ? "sed -i 's/mode: \"\"/mode: ipvs/'" : "true";
      edits++;
      return Map.of("EDITOR", editor, "KUBE_EDITOR", editor);
    }

    private static List<String> compare(Transcript.Step step, Kubectl.Result result) {
      List<String> problems = new ArrayList<>();
      if (!step.exit().equals(result.exit())) {
        problems.add("exit: expected " + step.exit() + ", got " + result.exit());
      }
      problems.addAll(
          TranscriptMatcher.differences(
              "stdout", step.stdout(), RecordedExcerpt.part(step, result.stdout())));
      problems.addAll(TranscriptMatcher.differences("stderr", step.stderr(), result.stderr()));
      return problems;
    }
  }

  private static void copyManifests(Path into) throws IOException {
    try {
      Path from =
          Path.of(
              Objects.requireNonNull(TranscriptTest.class.getResource("/golden/kubectl/manifests"))
                  .toURI());
      try (Stream<Path> files = Files.list(from)) {
        for (Path file : files.toList()) {
          try (InputStream in = Files.newInputStream(file)) {
            Files.copy(in, into.resolve(file.getFileName().toString()));
          }
        }
      }
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }
}
