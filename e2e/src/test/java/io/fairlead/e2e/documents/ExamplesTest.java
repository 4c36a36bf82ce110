package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every example is accepted without a word about unknown fields, and its pods come to run.
@Tag("system")
class ExamplesTest {
  /// Needs what the built-in runtime does not have.
  private static final Set<String> FOREIGN_IMAGES = Set.of("nginx.yaml");

  /// Not ready until its readiness gate is set.
  private static final Set<String> GATED = Set.of("readiness.yaml");

  @TempDir static Path home;
  private static DocumentSandbox desk;

  @BeforeAll
  static void start() throws IOException {
    desk = DocumentSandbox.here(home);
    desk.must("sudo ./fairlead up");
  }

  @AfterAll
  static void stop() {
    if (desk != null) {
      desk.close();
    }
  }

  static List<String> examples() throws IOException {
    try (Stream<Path> files = Files.list(Repository.root().resolve("examples"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void isAcceptedAndRuns(String name) throws IOException {
    String file = "examples/" + name;
    String text = Files.readString(Repository.root().resolve(file));
    if (text.contains("kind: Namespace")) {
      // A namespace that is only tried does not exist for what follows it in the file.
      desk.must("kubectl create namespace many -o yaml --dry-run=client | kubectl apply -f -");
    }
    assertThat(desk.must("kubectl apply --dry-run=server --validate=strict -f " + file))
        .isNotEmpty()
        .allMatch(
            line -> line.matches("\\S+/\\S+ (created|configured|unchanged) \\(server dry run\\)"));
    desk.must("kubectl apply --validate=strict -f " + file);
    if (!FOREIGN_IMAGES.contains(name)) {
      awaitPods(file, GATED.contains(name) ? "ContainersReady" : "Ready");
    }
    desk.must("kubectl delete --ignore-not-found -f " + file);
  }

  /// Waits for the Deployments, StatefulSets and Pods of a file.
  private static void awaitPods(String file, String condition) {
    for (String object : desk.must("kubectl get -o name -f " + file)) {
      if (object.matches("(deployment|statefulset)\\.apps/.*")) {
        String namespace =
            desk.must("kubectl get -f " + file + " -o jsonpath='{.items[-1:].metadata.namespace}'")
                .getFirst();
        desk.must("kubectl rollout status --timeout=120s -n " + namespace + " " + object);
      } else if (object.startsWith("pod/")) {
        desk.must("kubectl wait --timeout=120s --for=condition=" + condition + " " + object);
      }
    }
  }

  @Test
  void theTableNamesEveryExample() throws IOException {
    String table = Files.readString(Repository.root().resolve("examples/README.md"));
    assertThat(examples()).allSatisfy(name -> assertThat(table).contains("[" + name + "](" + name));
  }

  @Test
  void everyExampleTeaches() throws IOException {
    for (String name : examples()) {
      assertThat(Files.readString(Repository.root().resolve("examples").resolve(name)))
          .as(name)
          .startsWith("# ");
    }
  }
}
