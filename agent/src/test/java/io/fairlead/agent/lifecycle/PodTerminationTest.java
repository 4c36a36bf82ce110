package io.fairlead.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.probe.ProbeOutcome;
import io.fairlead.agent.testing.Behaviour;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Deletion: hooks, signals, force, and what the API is told.
class PodTerminationTest {
  private record Row(String name, Runnable check) {}

  private static final String PLAIN = "spec: {containers: [{name: c, image: i}]}\n";

  private static String preStop(long seconds) {
    return "spec: {containers: [{name: c, image: i, lifecycle: {preStop: {sleep: {seconds: "
        + seconds
        + "}}}}]}\n";
  }

  @TestFactory
  Stream<DynamicTest> vectors() {
    return Stream.of(
            new Row("N24 its own exit code, then the object goes", PodTerminationTest::obeys),
            new Row("N25 deaf: force after the grace", PodTerminationTest::deaf),
            new Row("N26 preStop 4 of 10: TERM at 4, KILL at 10", PodTerminationTest::hook),
            new Row("N26 preStop 20 of 10: KILL at 12", PodTerminationTest::longHook),
            new Row("N27 the grace can only shrink", PodTerminationTest::shrink),
            new Row("N28 liveness is not enforced, readiness is", PodTerminationTest::probes),
            new Row("N29 force: dead within 3 s, nothing left", PodTerminationTest::force),
            new Row("N31 drain: TERM when the proxies have let go", PodTerminationTest::letGo),
            new Row(
                "N31 drain: two seconds at most, and it is said", PodTerminationTest::neverLetGo),
            new Row("N31 drain: never more than half the grace", PodTerminationTest::halfTheGrace),
            new Row(
                "N31 drain: the time counts against the grace", PodTerminationTest::drainCounts),
            new Row("N31 drain: a longer time if the pod says so", PodTerminationTest::longDrain),
            new Row("N31 drain: a shorter grace ends it sooner", PodTerminationTest::drainShrinks),
            new Row("N31 drain: force does not wait", PodTerminationTest::drainForced),
            new Row("N31 drain: what cannot be read is said", PodTerminationTest::badDrain),
            new Row("N31 drain: without the annotation nothing waits", PodTerminationTest::noDrain),
            new Row("a pod deleted before it ran fails", PodTerminationTest::neverRan),
            new Row("a refused pod is Failed with the reason", PodTerminationTest::rejected),
            new Row("the address stays until the end", PodTerminationTest::address),
            new Row("a pod that was over before is not run again", PodTerminationTest::overBefore))
        .map(row -> DynamicTest.dynamicTest(row.name(), row.check()::run));
  }

  private static void obeys() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(PLAIN, (_, _) -> Behaviour.obeys(5, Duration.ofSeconds(1)));
    lab.until(10).delete(30).until(10);
    assertThat(lab.condition("Ready")).isEqualTo("True");
    lab.until(12);
    assertThat(lab.statuses.getLast().toString()).contains("\"exitCode\":5");
    assertThat(lab.phase()).isEqualTo("Failed");
    assertThat(lab.condition("Ready")).isEqualTo("False PodFailed");
    assertThat(lab.removed).isTrue();
    assertThat(lab.runtime.sandboxes()).isEmpty();
    assertThat(lab.runtime.containers()).isEmpty();
    assertThat(lab.machine.stage()).isEqualTo(PodStateMachine.Stage.FORGOTTEN);
  }

  private static void deaf() {
    PodLifecycleFixture lab = new PodLifecycleFixture(PLAIN, (_, _) -> Behaviour.deaf());
    lab.until(10).delete(3).until(12);
    assertThat(lab.state("c")).isEqualTo("running");
    lab.until(13);
    assertThat(lab.statuses.getLast().toString()).contains("\"exitCode\":137");
    assertThat(lab.removed).isTrue();
  }

  private static void hook() {
    PodLifecycleFixture lab = new PodLifecycleFixture(preStop(4), (_, _) -> Behaviour.deaf());
    lab.until(100).delete(10).until(109);
    assertThat(lab.seconds("term c")).containsExactly(104L);
    assertThat(lab.removed).isFalse();
    lab.until(110);
    assertThat(lab.removed).isTrue();
  }

  private static void longHook() {
    PodLifecycleFixture lab = new PodLifecycleFixture(preStop(20), (_, _) -> Behaviour.deaf());
    lab.until(100).delete(10).until(111);
    assertThat(lab.seconds("term c")).containsExactly(110L);
    assertThat(lab.removed).isFalse();
    lab.until(112);
    assertThat(lab.removed).isTrue();
  }

  private static void shrink() {
    PodLifecycleFixture lab = new PodLifecycleFixture(PLAIN, (_, _) -> Behaviour.deaf());
    lab.until(100).delete(60).until(105).delete(2).until(106).delete(100).until(107);
    assertThat(lab.removed).isTrue();
    assertThat(lab.seconds("term c")).containsExactly(100L);
  }

  private static void probes() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            """
            spec:
              containers:
              - name: c
                image: i
                livenessProbe: {tcpSocket: {port: 1}, periodSeconds: 1, failureThreshold: 1}
                readinessProbe: {tcpSocket: {port: 2}, periodSeconds: 1, failureThreshold: 2}
            """,
            (_, _) -> Behaviour.deaf(),
            (_, _, second) ->
                second < 12 ? new ProbeOutcome.Success("") : new ProbeOutcome.Failure("refused"));
    lab.until(10).delete(30).until(11);
    assertThat(lab.condition("Ready")).isEqualTo("True");
    lab.until(20);
    assertThat(lab.condition("Ready")).isEqualTo("False ContainersNotReady");
    assertThat(lab.events).filteredOn(event -> event.startsWith("Killing")).hasSize(1);
    assertThat(lab.seconds("start c")).containsExactly(0L);
    assertThat(lab.asked).noneMatch(line -> line.equals("12 liveness c"));
  }

  private static void force() {
    PodLifecycleFixture lab = new PodLifecycleFixture(PLAIN, (_, _) -> Behaviour.deaf());
    lab.until(10);
    int told = lab.statuses.size();
    lab.machine.vanished(Duration.ofSeconds(1));
    lab.until(13);
    assertThat(lab.machine.stage()).isEqualTo(PodStateMachine.Stage.FORGOTTEN);
    assertThat(lab.runtime.sandboxes()).isEmpty();
    assertThat(lab.statuses).as("nobody to tell").hasSize(told);
  }

  private static PodLifecycleFixture draining(String value, Behaviour behaviour) {
    return new PodLifecycleFixture(
        "metadata: {annotations: {fairlead.dev/drain: \"%s\"}}\n".formatted(value) + PLAIN,
        (_, _) -> behaviour);
  }

  private static void letGo() {
    PodLifecycleFixture lab = draining("true", Behaviour.obeys(0, Duration.ofSeconds(1)));
    lab.letGo = Optional.of(Duration.ofSeconds(1));
    lab.until(100).delete(30).until(100);
    assertThat(lab.drains).containsExactly("100 for PT2S");
    assertThat(lab.condition("Ready")).isEqualTo("True");
    assertThat(lab.seconds("term c")).isEmpty();
    lab.until(110);
    assertThat(lab.seconds("term c")).containsExactly(101L);
    assertThat(lab.events).noneMatch(event -> event.startsWith("Drain"));
    assertThat(lab.removed).isTrue();
  }

  private static void neverLetGo() {
    PodLifecycleFixture lab = draining("true", Behaviour.obeys(0, Duration.ofSeconds(1)));
    lab.until(100).delete(30).until(110);
    assertThat(lab.seconds("term c")).containsExactly(102L);
    assertThat(lab.events).filteredOn(event -> event.startsWith("DrainIncomplete")).hasSize(1);
  }

  private static void halfTheGrace() {
    PodLifecycleFixture lab = draining("1m", Behaviour.deaf());
    lab.until(100).delete(6).until(110);
    assertThat(lab.drains).containsExactly("100 for PT3S");
    assertThat(lab.seconds("term c")).containsExactly(103L);
  }

  private static void drainCounts() {
    PodLifecycleFixture lab = draining("true", Behaviour.deaf());
    lab.until(100).delete(10).until(109);
    assertThat(lab.removed).isFalse();
    lab.until(110);
    assertThat(lab.removed).isTrue();
  }

  private static void longDrain() {
    PodLifecycleFixture lab = draining("10s", Behaviour.deaf());
    lab.letGo = Optional.of(Duration.ofSeconds(7));
    lab.until(100).delete(30).until(120);
    assertThat(lab.seconds("term c")).containsExactly(107L);
  }

  private static void drainShrinks() {
    PodLifecycleFixture lab = draining("20s", Behaviour.deaf());
    lab.until(100).delete(60).until(105).delete(4).until(120);
    assertThat(lab.seconds("term c")).containsExactly(107L);
    assertThat(lab.removed).isTrue();
  }

  private static void drainForced() {
    PodLifecycleFixture lab = draining("20s", Behaviour.deaf());
    lab.until(100).delete(60).until(101);
    lab.machine.vanished(Duration.ofSeconds(1));
    lab.until(104);
    assertThat(lab.seconds("term c")).containsExactly(101L);
    assertThat(lab.machine.stage()).isEqualTo(PodStateMachine.Stage.FORGOTTEN);
  }

  private static void badDrain() {
    PodLifecycleFixture lab = draining("soon", Behaviour.obeys(0, Duration.ofSeconds(1)));
    lab.until(100).delete(30).until(110);
    assertThat(lab.drains).isEmpty();
    assertThat(lab.seconds("term c")).containsExactly(100L);
    assertThat(lab.events)
        .anyMatch(event -> event.startsWith("InvalidDrain") && event.contains("\"soon\""));
  }

  private static void noDrain() {
    PodLifecycleFixture lab = new PodLifecycleFixture(PLAIN, (_, _) -> Behaviour.deaf());
    lab.until(100).delete(30).until(101);
    assertThat(lab.drains).isEmpty();
    assertThat(lab.seconds("term c")).containsExactly(100L);
  }

  private static void neverRan() {
    PodLifecycleFixture lab = new PodLifecycleFixture(PLAIN, (_, _) -> Behaviour.SERVES);
    lab.runtime.networkProblem("none");
    lab.until(3).delete(30).until(4);
    assertThat(lab.phase()).isEqualTo("Failed");
    assertThat(lab.state("c")).isEqualTo("terminated 137 ContainerStatusUnknown");
    assertThat(lab.removed).isTrue();
  }

  private static void rejected() {
    PodLifecycleFixture lab = new PodLifecycleFixture(PLAIN, (_, _) -> Behaviour.SERVES);
    lab.machine.reject("NodePorts", "Pod was rejected: no free ports");
    lab.until(5);
    assertThat(lab.phase()).isEqualTo("Failed");
    assertThat(lab.status().path("reason").asString()).isEqualTo("NodePorts");
    assertThat(lab.runtime.calls()).isEmpty();
  }

  private static void overBefore() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            "spec: {restartPolicy: Never, containers: [{name: c, image: i}]}\n",
            (_, _) -> Behaviour.exits(0, Duration.ofSeconds(1)));
    lab.until(5);
    assertThat(lab.phase()).isEqualTo("Succeeded");
    lab.runtime.containers().forEach(one -> lab.runtime.remove(one.id()));
    int told = lab.statuses.size();
    lab.restartAgent().until(200);
    assertThat(lab.seconds("start c")).hasSize(1);
    assertThat(lab.statuses).hasSize(told);
    lab.delete(30).until(201);
    assertThat(lab.removed).isTrue();
  }

  private static void address() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(PLAIN, (_, _) -> Behaviour.obeys(0, Duration.ofSeconds(5)));
    lab.until(1);
    String address = lab.status().path("podIP").asString();
    lab.delete(30).until(3);
    assertThat(lab.status().path("podIP").asString()).isEqualTo(address).isNotEmpty();
    assertThat(lab.phase()).isEqualTo("Running");
  }
}
