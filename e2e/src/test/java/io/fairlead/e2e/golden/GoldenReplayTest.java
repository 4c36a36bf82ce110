package io.fairlead.e2e.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.TestServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Replays what was recorded from a real kube-apiserver 1.36. Each step is a test, steps that only
/// prepare or clean up as well. A step that differs on purpose is compared with the decided answer
/// in [GoldenDifferences].
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GoldenReplayTest {
  private static final List<String> FILES =
      List.of(
          "apply",
          "changes",
          "configmaps",
          "creates",
          "delete",
          "deployments",
          "discovery",
          "endpoints",
          "endpointslices",
          "errors",
          "events",
          "health",
          "ipaddresses",
          "kinds",
          "leases",
          "lists",
          "mutations",
          "namespaces",
          "networkpolicies",
          "nodes",
          "pdb",
          "pods",
          "rbac",
          "requests",
          "secrets",
          "serviceaccounts",
          "servicecidrs",
          "services",
          "tables",
          "updates",
          "validation",
          "volumes",
          "watch",
          "workloads");

  private TestServer server;
  private HttpClient http;

  @BeforeAll
  void start(@TempDir Path directory) {
    server = TestServer.start(directory, 36);
    http = TestServer.http();
  }

  @AfterAll
  void stop() {
    http.close();
    server.close();
  }

  @TestFactory
  Stream<DynamicNode> answersAreThoseOfTheOriginal() {
    return FILES.stream()
        .map(file -> DynamicContainer.dynamicContainer(file, scenarios(file).stream()));
  }

  @Test
  void everyDecidedAnswerBelongsToARecordedStep() {
    assertThat(FILES.stream().flatMap(file -> GoldenStep.read(file).stream()).map(GoldenStep::id))
        .containsAll(GoldenDifferences.steps());
  }

  private List<DynamicNode> scenarios(String file) {
    Map<String, List<DynamicNode>> scenarios = new LinkedHashMap<>();
    Map<String, GoldenRunner> runners = new LinkedHashMap<>();
    for (GoldenStep step : GoldenStep.read(file)) {
      GoldenRunner runner =
          runners.computeIfAbsent(
              step.scenario(), _ -> new GoldenRunner(http, server.url(), server.token()));
      scenarios
          .computeIfAbsent(step.scenario(), _ -> new ArrayList<>())
          .add(DynamicTest.dynamicTest(step.name(), () -> run(runner, step)));
    }
    List<DynamicNode> nodes = new ArrayList<>();
    scenarios.forEach((name, steps) -> nodes.add(DynamicContainer.dynamicContainer(name, steps)));
    return nodes;
  }

  private void run(GoldenRunner runner, GoldenStep step) throws IOException, InterruptedException {
    if (step.isCompaction()) {
      server.compact();
      TimeUnit.MILLISECONDS.sleep(200);
      return;
    }
    assertThat(runner.run(step)).isEmpty();
  }
}
