package io.fairlead.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.lifecycle.PolicyProgress.State;
import io.fairlead.agent.pod.Pod;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.client.testing.FakeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What the report of a node's policy component means for a pod that wants to start.
class PolicyReportWatcherTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String NODE = "node-a";
  private static final Optional<String> VERSION = Optional.of("20");

  private final Client client = new Client(new FakeApi(List.of(ResourceType.LEASES)));
  private final List<String> poked = new CopyOnWriteArrayList<>();

  @BeforeEach
  void begin() {
    client.create(ResourceType.NAMESPACES, "", yaml("metadata: {name: kube-public}"));
  }

  @AfterEach
  void end() {
    client.close();
  }

  private static ObjectNode yaml(String text) {
    return (ObjectNode) Yaml.parse(text);
  }

  private static Pod pod(String annotations) {
    return Pod.of(
        yaml(
            "{metadata: {name: p, namespace: shop, uid: u1, annotations: {"
                + annotations
                + "}}, spec: {containers: []}}"));
  }

  private static String bootId() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  private PolicyReportWatcher watch(PolicyWaitMode mode) {
    PolicyReportWatcher watcher =
        new PolicyReportWatcher(client, NODE, mode, TimingSources.system(), () -> NOW, poked::add);
    watcher.start();
    return watcher;
  }

  /// @param report version, boot (`this` or another), gate, age in seconds; empty for none
  record Row(String name, PolicyWaitMode mode, String report, State expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("off: never waits", PolicyWaitMode.OFF, "10 this on 0", State.NOT_AWAITED),
        new Row("auto without a report", PolicyWaitMode.AUTO, "", State.NOT_AWAITED),
        new Row("on without a report", PolicyWaitMode.ON, "", State.ABSENT),
        new Row("shows the version", PolicyWaitMode.AUTO, "20 this on 0", State.IN_FORCE),
        new Row("shows a later version", PolicyWaitMode.ON, "100 this on 39", State.IN_FORCE),
        new Row("shows an earlier version", PolicyWaitMode.ON, "9 this on 0", State.BEHIND),
        new Row("behind, without a gate", PolicyWaitMode.ON, "9 this off 0", State.ABSENT),
        new Row("stale", PolicyWaitMode.AUTO, "100 this on 41", State.ABSENT),
        new Row("of an earlier boot", PolicyWaitMode.AUTO, "100 other on 0", State.ABSENT));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void reportMeans(Row row) throws IOException {
    if (!row.report().isEmpty()) {
      String[] words = row.report().split(" ");
      client.create(
          ResourceType.LEASES,
          PolicyReport.NAMESPACE,
          PolicyReport.now(
                  NODE,
                  words[1].equals("this") ? bootId() : words[1],
                  words[2].equals("on"),
                  Map.of("pods", words[0]),
                  NOW.minusSeconds(Long.parseLong(words[3])))
              .toLease());
    }
    try (PolicyReportWatcher watcher = watch(row.mode())) {
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(watcher.of(pod(""), VERSION)).isEqualTo(row.expected()));
    }
  }

  @Test
  void aPodThatWaitsIsCalledWhenTheReportComes() throws IOException {
    try (PolicyReportWatcher watcher = watch(PolicyWaitMode.ON)) {
      assertThat(watcher.of(pod(""), VERSION)).isEqualTo(State.ABSENT);
      String boot = bootId();
      client.create(
          ResourceType.LEASES,
          PolicyReport.NAMESPACE,
          PolicyReport.now(NODE, boot, true, Map.of("pods", "20"), NOW).toLease());
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(poked).containsExactly("u1"));
      assertThat(watcher.of(pod(""), VERSION)).isEqualTo(State.IN_FORCE);
    }
  }

  @Test
  void anAddressThatTheApiHasNotAcceptedIsNotShown() throws IOException {
    client.create(
        ResourceType.LEASES,
        PolicyReport.NAMESPACE,
        PolicyReport.now(NODE, bootId(), true, Map.of("pods", "20"), NOW).toLease());
    try (PolicyReportWatcher watcher = watch(PolicyWaitMode.ON)) {
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> assertThat(watcher.of(pod(""), Optional.empty())).isEqualTo(State.BEHIND));
    }
  }

  @Test
  void aStaticPodDoesNotWaitBeforeTheFirstContactWithTheApi() {
    PolicyReportWatcher unstarted =
        new PolicyReportWatcher(
            client, NODE, PolicyWaitMode.ON, TimingSources.system(), () -> NOW, poked::add);
    assertThat(unstarted.of(pod("kubernetes.io/config.source: file"), VERSION))
        .isEqualTo(State.NOT_AWAITED);
    assertThat(unstarted.of(pod(""), VERSION)).isEqualTo(State.ABSENT);
    unstarted.close();
  }
}
