package io.fairlead.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.probe.ProbeOutcome;
import io.fairlead.agent.testing.Behaviour;
import io.fairlead.api.json.Json;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// What answers to probes do to a pod.
class ProbingTest {
  private record Row(String name, Runnable check) {}

  private static final ProbeOutcome WELL = new ProbeOutcome.Success("");
  private static final ProbeOutcome ILL =
      new ProbeOutcome.Failure("HTTP probe failed with statuscode: 503");

  private static String pod(String probes) {
    return "spec:\n  containers:\n  - name: c\n    image: i\n" + probes.indent(4);
  }

  @TestFactory
  Stream<DynamicTest> vectors() {
    return Stream.of(
            new Row("N12 unready at the third failure, ready at one success", ProbingTest::flip),
            new Row("N14 two successes in a row make it ready", ProbingTest::twice),
            new Row("N15 liveness kills once", ProbingTest::liveness),
            new Row("N16 startup first, then readiness at once", ProbingTest::startup),
            new Row("N17 startup that never passes: restarted", ProbingTest::startupFails),
            new Row("N22 the agent restarts: ready all along", ProbingTest::restart),
            new Row("N23 readiness gates", ProbingTest::gates),
            new Row("initialDelaySeconds is waited for", ProbingTest::delay),
            new Row("a probe that could not be asked counts for nothing", ProbingTest::unasked),
            new Row("no probes: ready when it runs", ProbingTest::none))
        .map(row -> DynamicTest.dynamicTest(row.name(), row.check()::run));
  }

  private static void flip() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("readinessProbe: {httpGet: {port: 80}, periodSeconds: 1, failureThreshold: 3}"),
            (_, _) -> Behaviour.SERVES,
            (_, _, second) -> second >= 10 && second < 20 ? ILL : WELL);
    lab.until(11);
    assertThat(lab.condition("Ready")).isEqualTo("True");
    lab.until(12);
    assertThat(lab.condition("Ready")).isEqualTo("False ContainersNotReady");
    assertThat(lab.status().toString()).contains("containers with unready status: [c]");
    assertThat(lab.events)
        .contains("Unhealthy Readiness probe failed: HTTP probe failed with statuscode: 503");
    lab.until(20);
    assertThat(lab.condition("Ready")).isEqualTo("True");
    assertThat(lab.container("c").path("restartCount").asInt()).isZero();
  }

  private static void twice() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 5, successThreshold: 2}"),
            (_, _) -> Behaviour.SERVES);
    lab.until(4);
    assertThat(lab.condition("Ready")).isEqualTo("False ContainersNotReady");
    lab.until(5);
    assertThat(lab.condition("Ready")).isEqualTo("True");
  }

  private static void liveness() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 10, failureThreshold: 2}"),
            (_, attempt) -> attempt == 0 ? Behaviour.deaf() : Behaviour.SERVES,
            (_, _, second) -> second >= 30 && second < 65 ? ILL : WELL);
    lab.until(69);
    assertThat(lab.asked)
        .contains("30 liveness c", "40 liveness c")
        .doesNotContain("50 liveness c");
    lab.until(200);
    assertThat(lab.seconds("term c")).containsExactly(40L);
    assertThat(lab.seconds("start c")).containsExactly(0L, 70L);
    assertThat(lab.container("c").path("restartCount").asInt()).isEqualTo(1);
    assertThat(lab.events).contains("Killing Container c failed liveness probe, will be restarted");
  }

  private static final String BOTH =
      """
      startupProbe: {exec: {command: [a]}, periodSeconds: 1, failureThreshold: 10}
      readinessProbe: {exec: {command: [b]}, periodSeconds: 30}
      livenessProbe: {exec: {command: [c]}, periodSeconds: 30}
      """;

  private static void startup() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod(BOTH),
            (_, _) -> Behaviour.SERVES,
            (_, probe, second) -> probe.failureThreshold() == 10 && second < 5 ? ILL : WELL);
    lab.until(4);
    assertThat(lab.container("c").path("started").asBoolean()).isFalse();
    assertThat(lab.asked).noneMatch(line -> line.contains("readiness"));
    lab.until(5);
    assertThat(lab.asked).contains("5 readiness c", "5 liveness c");
    assertThat(lab.condition("Ready")).isEqualTo("True");
    lab.until(20);
    assertThat(lab.asked).noneMatch(line -> line.equals("6 startup c"));
  }

  private static void startupFails() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod(BOTH),
            (_, _) -> Behaviour.SERVES,
            (_, probe, _) -> probe.failureThreshold() == 10 ? ILL : WELL);
    lab.until(9);
    assertThat(lab.seconds("term c")).containsExactly(9L);
    assertThat(lab.seconds("start c")).containsExactly(0L, 9L);
    assertThat(lab.asked).noneMatch(line -> line.contains("liveness"));
  }

  private static void restart() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 10}"),
            (_, _) -> Behaviour.SERVES);
    lab.until(25);
    String before = lab.status().path("conditions").toString();
    lab.restartAgent();
    int from = lab.statuses.size();
    lab.until(60);
    assertThat(lab.statuses.subList(from, lab.statuses.size()))
        .isNotEmpty()
        .allSatisfy(status -> assertThat(status.path("conditions").toString()).isEqualTo(before));
    assertThat(lab.seconds("start c")).containsExactly(0L);
  }

  private static void gates() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            "spec:\n  readinessGates: [{conditionType: x/y}]\n"
                + "  containers: [{name: c, image: i}]\n",
            (_, _) -> Behaviour.SERVES);
    lab.until(5);
    assertThat(lab.condition("Ready")).isEqualTo("False ReadinessGatesNotReady");
    assertThat(lab.condition("ContainersReady")).isEqualTo("True");
    lab.change(
            body ->
                Json.child(body, "status")
                    .putArray("conditions")
                    .addObject()
                    .put("type", "x/y")
                    .put("status", "True"))
        .until(6);
    assertThat(lab.condition("Ready")).isEqualTo("True");
    assertThat(lab.condition("x/y")).isEqualTo("True");
  }

  private static void delay() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 7}"),
            (_, _) -> Behaviour.SERVES);
    lab.until(6);
    assertThat(lab.asked).isEmpty();
    lab.until(7);
    assertThat(lab.asked).containsExactly("7 readiness c");
    assertThat(lab.condition("Ready")).isEqualTo("True");
  }

  private static void unasked() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("livenessProbe: {exec: {command: [a]}, periodSeconds: 1, failureThreshold: 1}"),
            (_, _) -> Behaviour.SERVES,
            (_, _, _) -> new ProbeOutcome.Unknown("the runtime is gone"));
    lab.until(30);
    assertThat(lab.seconds("term c")).isEmpty();
    assertThat(lab.condition("Ready")).isEqualTo("True");
  }

  private static void none() {
    PodLifecycleFixture lab = new PodLifecycleFixture(pod(""), (_, _) -> Behaviour.SERVES);
    lab.until(0);
    assertThat(lab.phase()).isEqualTo("Running");
    assertThat(lab.condition("Ready")).isEqualTo("True");
    assertThat(lab.status().path("qosClass").asString()).isEqualTo("BestEffort");
    assertThat(lab.events)
        .containsExactly(
            "Pulled Container image \"i\" already present on machine",
            "Created Created container: c",
            "Started Started container c");
  }
}
