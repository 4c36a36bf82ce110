package io.fairlead.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.testing.Behaviour;
import io.fairlead.api.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/// Restart policies, back-off and init containers. The names of the rows are those of the
/// specification's vectors.
class RestartTest {
  private static final Duration AT_ONCE = Duration.ZERO;

  private record Row(String name, Runnable check) {}

  private static String pod(String policy, String containers) {
    return "spec:\n  restartPolicy: " + policy + "\n" + containers;
  }

  private static String one(String policy) {
    return pod(policy, "  containers: [{name: c, image: i}]\n");
  }

  @TestFactory
  Stream<DynamicTest> vectors() {
    return Stream.of(
            new Row("N4 crashes wait 10, 20, 40 … 300 s after each end", RestartTest::crashLoop),
            new Row("N5 a long good run is forgiven", RestartTest::forgiven),
            new Row(
                "a container that ran before the node was switched off goes on counting",
                RestartTest::countsOn),
            new Row("N6 OnFailure, exit 0: Succeeded", RestartTest::succeeds),
            new Row("N6 OnFailure, exit 3: restarted with back-off", RestartTest::onFailure),
            new Row("N7 Never, exits 0 and 3: Failed", RestartTest::never),
            new Row("N8 one of two crashes: the other is left alone", RestartTest::neighbour),
            new Row(
                "N32 a failing init container under Never fails the pod", RestartTest::initNever),
            new Row("N33 an init container is tried until it is done", RestartTest::initRetried),
            new Row("N34 main waits for a sidecar's startup, ends before it", RestartTest::sidecar),
            new Row("N41 nothing starts before Services are known", RestartTest::services),
            new Row("N42 a missing key: CreateContainerConfigError, heals", RestartTest::config),
            new Row("N57 a missing volume: FailedMount, heals", RestartTest::volume),
            new Row("N58 Never and no image: ErrImageNeverPull", RestartTest::neverPull),
            new Row("N58 no such image: ErrImagePull, ImagePullBackOff, heals", RestartTest::pull),
            new Row(
                "N60 cannot start: RunContainerError, CrashLoopBackOff", RestartTest::cannotRun),
            new Row("cannot start, Never: StartError 128, Failed", RestartTest::startError),
            new Row(
                "cannot be made: tried again with growing waits, whatever is reported",
                RestartTest::cannotBeMade),
            new Row("cannot be made, then the pod changes: tried at once", RestartTest::mended),
            new Row("no volume: tried again with growing waits", RestartTest::volumeWaits),
            new Row("N66 a lost sandbox is replaced", RestartTest::sandboxLost),
            new Row("no network: nothing starts until there is one", RestartTest::noNetwork),
            new Row("a sidecar is ended when the work is done", RestartTest::sidecarOfJob))
        .map(row -> DynamicTest.dynamicTest(row.name(), row.check()::run));
  }

  private static void crashLoop() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.exits(1, AT_ONCE));
    lab.until(5);
    assertThat(lab.state("c")).isEqualTo("waiting CrashLoopBackOff");
    assertThat(Json.textOr(lab.container("c"), "", "state", "waiting", "message"))
        .isEqualTo("back-off 10s restarting failed container=c pod=p_ns(u1)");
    assertThat(lab.container("c").path("lastState").has("terminated")).isTrue();
    String address = Json.textOr(lab.status(), "", "podIP");
    lab.until(1300);
    assertThat(lab.seconds("start c"))
        .containsExactly(0L, 0L, 10L, 30L, 70L, 150L, 310L, 610L, 910L, 1210L);
    assertThat(lab.phase()).isEqualTo("Running");
    assertThat(Json.textOr(lab.status(), "", "podIP")).isEqualTo(address).isNotEmpty();
    assertThat(lab.container("c").path("restartCount").asInt()).isEqualTo(9);
    assertThat(lab.runtime.containers()).as("dead runs kept").hasSize(2);
    assertThat(lab.events).contains("BackOff Back-off restarting failed container=c pod=p_ns(u1)");
  }

  private static void countsOn() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod(
                "Always",
                "  containers: [{name: c, image: i}, {name: d, image: i}]\n"
                    + "status:\n"
                    + "  containerStatuses:\n"
                    + "  - {name: c, restartCount: 3, containerID: 'x://c'}\n"
                    + "  - {name: d, restartCount: 0}\n"),
            (_, _) -> Behaviour.obeys(0, AT_ONCE));
    lab.until(5);
    assertThat(lab.container("c").path("restartCount").asInt()).isEqualTo(4);
    assertThat(lab.container("d").path("restartCount").asInt()).as("it never ran").isZero();
  }

  private static void forgiven() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            one("Always"),
            (_, attempt) -> Behaviour.exits(1, attempt == 3 ? Duration.ofMinutes(11) : AT_ONCE));
    lab.until(740);
    assertThat(lab.seconds("start c")).containsExactly(0L, 0L, 10L, 30L, 690L, 700L, 720L);
  }

  private static void succeeds() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            one("OnFailure"), (_, _) -> Behaviour.exits(0, Duration.ofSeconds(3)));
    lab.until(100);
    assertThat(lab.phase()).isEqualTo("Succeeded");
    assertThat(lab.condition("Ready")).isEqualTo("False PodCompleted");
    assertThat(lab.condition("Initialized")).isEqualTo("True PodCompleted");
    assertThat(lab.state("c")).isEqualTo("terminated 0 Completed");
    assertThat(lab.seconds("start c")).containsExactly(0L);
    assertThat(lab.seconds("stop sandbox 0")).containsExactly(3L);
  }

  private static void onFailure() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            one("OnFailure"), (_, attempt) -> Behaviour.exits(attempt < 3 ? 3 : 0, AT_ONCE));
    lab.until(20);
    assertThat(lab.phase()).isEqualTo("Running");
    lab.until(60);
    assertThat(lab.seconds("start c")).containsExactly(0L, 0L, 10L, 30L);
    assertThat(lab.phase()).isEqualTo("Succeeded");
  }

  private static void never() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("Never", "  containers: [{name: a, image: i}, {name: b, image: i}]\n"),
            (name, _) -> Behaviour.exits(name.equals("a") ? 0 : 3, Duration.ofSeconds(1)));
    lab.until(100);
    assertThat(lab.phase()).isEqualTo("Failed");
    assertThat(lab.condition("Ready")).isEqualTo("False PodFailed");
    assertThat(List.of(lab.state("a"), lab.state("b")))
        .containsExactly("terminated 0 Completed", "terminated 3 Error");
    assertThat(lab.seconds("start b")).hasSize(1);
  }

  private static void neighbour() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("Always", "  containers: [{name: a, image: i}, {name: b, image: i}]\n"),
            (name, _) ->
                name.equals("a") ? Behaviour.SERVES : Behaviour.exits(1, Duration.ofSeconds(2)));
    lab.until(1);
    String id = Json.textOr(lab.container("a"), "", "containerID");
    lab.until(60);
    assertThat(Json.textOr(lab.container("a"), "", "containerID")).isEqualTo(id).isNotEmpty();
    assertThat(lab.seconds("start a")).containsExactly(0L);
    assertThat(lab.seconds("start b").size()).isGreaterThan(2);
  }

  private static final String TWO_INIT =
      "  initContainers: [{name: a, image: i}, {name: b, image: i}]\n"
          + "  containers: [{name: main, image: i}]\n";

  private static void initNever() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("Never", TWO_INIT),
            (name, _) -> Behaviour.exits(name.equals("b") ? 1 : 0, Duration.ofSeconds(1)));
    lab.until(60);
    assertThat(lab.phase()).isEqualTo("Failed");
    assertThat(lab.state("b")).isEqualTo("terminated 1 Error");
    assertThat(lab.seconds("start main")).isEmpty();
    assertThat(lab.state("main")).as("it never ran").isEqualTo("waiting PodInitializing");
    assertThat(lab.condition("Initialized")).isEqualTo("False ContainersNotInitialized");
  }

  private static void initRetried() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("Always", TWO_INIT),
            (name, attempt) ->
                name.equals("main")
                    ? Behaviour.SERVES
                    : Behaviour.exits(name.equals("b") && attempt < 2 ? 1 : 0, AT_ONCE));
    lab.until(5);
    assertThat(lab.phase()).isEqualTo("Pending");
    assertThat(lab.state("b")).isEqualTo("waiting CrashLoopBackOff");
    assertThat(lab.state("main")).isEqualTo("waiting PodInitializing");
    lab.until(11);
    assertThat(lab.state("main")).isEqualTo("running");
    assertThat(lab.condition("Initialized")).isEqualTo("True");
    assertThat(lab.phase()).isEqualTo("Running");
  }

  private static void sidecar() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod(
                "Always",
                """
                  initContainers:
                  - name: side
                    image: i
                    restartPolicy: Always
                    startupProbe: {tcpSocket: {port: 1}, periodSeconds: 1, failureThreshold: 9}
                  containers: [{name: main, image: i}]
                """),
            (name, _) ->
                name.equals("main") ? Behaviour.obeys(0, Duration.ofSeconds(2)) : Behaviour.SERVES,
            (_, _, second) ->
                second < 4
                    ? new io.fairlead.agent.probe.ProbeOutcome.Failure("no")
                    : new io.fairlead.agent.probe.ProbeOutcome.Success(""));
    lab.until(20);
    assertThat(lab.seconds("start main")).containsExactly(4L);
    assertThat(lab.condition("Ready")).isEqualTo("True");
    lab.delete(30).until(60);
    assertThat(lab.seconds("term main")).containsExactly(20L);
    assertThat(lab.seconds("term side")).containsExactly(22L);
    assertThat(lab.removed).isTrue();
  }

  private static void sidecarOfJob() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod(
                "Never",
                """
                  initContainers: [{name: side, image: i, restartPolicy: Always}]
                  containers: [{name: main, image: i}]
                """),
            (name, _) ->
                name.equals("main")
                    ? Behaviour.exits(0, Duration.ofSeconds(5))
                    : Behaviour.obeys(0, Duration.ofSeconds(1)));
    lab.until(5);
    assertThat(lab.phase()).as("a container may still run").isEqualTo("Running");
    lab.until(20);
    assertThat(lab.seconds("term side")).containsExactly(5L);
    assertThat(lab.phase()).isEqualTo("Succeeded");
  }

  private static void config() {
    PodLifecycleFixture lab = new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.SERVES);
    lab.configProblem = Optional.of("configmap \"x\" not found");
    lab.until(3);
    assertThat(lab.state("c")).isEqualTo("waiting CreateContainerConfigError");
    assertThat(lab.phase()).isEqualTo("Pending");
    lab.configProblem = Optional.empty();
    lab.until(15);
    assertThat(lab.state("c")).isEqualTo("running");
    assertThat(lab.container("c").path("restartCount").asInt()).isZero();
  }

  private static void services() {
    PodLifecycleFixture lab = new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.SERVES);
    lab.configProblem =
        Optional.of("services have not yet been read at least once, cannot construct envvars");
    lab.until(40);
    assertThat(lab.seconds("start c")).isEmpty();
    assertThat(lab.state("c")).isEqualTo("waiting CreateContainerConfigError");
    lab.configProblem = Optional.empty();
    lab.until(56);
    assertThat(lab.seconds("start c")).hasSize(1);
    assertThat(lab.container("c").path("restartCount").asInt()).isZero();
  }

  private static void volume() {
    PodLifecycleFixture lab = new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.SERVES);
    lab.mountProblem = Optional.of("secret \"x\" not found");
    lab.until(3);
    assertThat(lab.state("c")).isEqualTo("waiting ContainerCreating");
    assertThat(lab.events).contains("FailedMount secret \"x\" not found");
    lab.mountProblem = Optional.empty();
    lab.until(15);
    assertThat(lab.state("c")).isEqualTo("running");
  }

  private static void neverPull() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            pod("Always", "  containers: [{name: c, image: x, imagePullPolicy: Never}]\n"),
            (_, _) -> Behaviour.SERVES);
    lab.runtime.onlyImages(Set.of());
    lab.until(3);
    assertThat(lab.state("c")).isEqualTo("waiting ErrImageNeverPull");
    assertThat(lab.events)
        .contains(
            "ErrImageNeverPull Container image \"x\" is not present with pull policy of Never");
  }

  private static void pull() {
    PodLifecycleFixture lab = new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.SERVES);
    lab.runtime.onlyImages(Set.of());
    lab.until(0);
    assertThat(lab.statuses.stream().map(Object::toString))
        .anyMatch(s -> s.contains("ErrImagePull"));
    lab.change(body -> {}).until(5);
    assertThat(lab.state("c")).isEqualTo("waiting ImagePullBackOff");
    lab.until(45);
    assertThat(lab.seconds("pull i")).containsExactly(0L, 10L, 30L);
    lab.runtime.onlyImages(Set.of("i"));
    lab.until(80);
    assertThat(lab.state("c")).isEqualTo("running");
  }

  private static void cannotRun() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.cannotStart("exec: /no/such"));
    lab.until(11);
    assertThat(lab.statuses.stream().map(Object::toString))
        .anyMatch(s -> s.contains("RunContainerError"));
    assertThat(lab.state("c")).isEqualTo("waiting CrashLoopBackOff");
    JsonNode last = lab.container("c").path("lastState").path("terminated");
    assertThat(last.path("exitCode").asInt()).isEqualTo(128);
    assertThat(Json.textOr(last, "", "reason")).isEqualTo("StartError");
    assertThat(lab.phase()).as("it has run, if only for no time").isEqualTo("Running");
  }

  private static void startError() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(one("Never"), (_, _) -> Behaviour.cannotStart("exec: /no/such"));
    lab.until(60);
    assertThat(lab.phase()).isEqualTo("Failed");
    assertThat(lab.state("c")).isEqualTo("terminated 128 StartError");
    assertThat(Json.textOr(lab.container("c"), "", "state", "terminated", "message"))
        .isEqualTo("exec: /no/such");
    assertThat(lab.container("c").path("restartCount").asInt()).isZero();
  }

  /// How often the container was tried to be made.
  private static long tries(PodLifecycleFixture lab, String event) {
    return lab.events.stream().filter(one -> one.startsWith(event)).count();
  }

  private static void cannotBeMade() {
    PodLifecycleFixture lab = new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.SERVES);
    lab.configProblem = Optional.of("no privileged container allowed in sandbox");
    for (int i = 0; i < 100; i++) {
      // Every report comes back as a change of the pod.
      lab.change(body -> body.putObject("status").put("phase", "Pending")).until(0);
    }
    assertThat(tries(lab, "Failed Error:")).isEqualTo(1);
    lab.until(36);
    assertThat(tries(lab, "Failed Error:")).as("at 0, 1, 3, 7, 15, 25, 35 s").isEqualTo(7);
  }

  private static void mended() {
    PodLifecycleFixture lab = new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.SERVES);
    lab.configProblem = Optional.of("missing value");
    lab.until(20);
    lab.configProblem = Optional.empty();
    lab.change(body -> Json.child(Json.child(body, "metadata"), "annotations").put("mypath", "foo"))
        .until(20);
    assertThat(lab.state("c")).isEqualTo("running");
  }

  private static void volumeWaits() {
    PodLifecycleFixture lab = new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.SERVES);
    lab.mountProblem = Optional.of("secret \"x\" not found");
    for (int i = 0; i < 100; i++) {
      lab.change(body -> body.putObject("status").put("phase", "Pending")).until(0);
    }
    assertThat(tries(lab, "FailedMount")).isEqualTo(1);
    lab.until(36);
    assertThat(tries(lab, "FailedMount")).isEqualTo(7);
  }

  private static void sandboxLost() {
    PodLifecycleFixture lab = new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.SERVES);
    lab.until(5);
    String old = Json.textOr(lab.status(), "", "podIP");
    lab.runtime.breakSandbox(lab.runtime.sandboxes().getFirst().id());
    lab.until(6);
    assertThat(lab.seconds("sandbox 1")).hasSize(1);
    assertThat(lab.events)
        .contains("SandboxChanged Pod sandbox changed, it will be killed and re-created.");
    assertThat(Json.textOr(lab.status(), "", "podIP")).isNotEmpty().isNotEqualTo(old);
    assertThat(lab.container("c").path("restartCount").asInt()).isEqualTo(1);
    assertThat(lab.condition("Ready")).isEqualTo("True");
  }

  private static void noNetwork() {
    PodLifecycleFixture lab = new PodLifecycleFixture(one("Always"), (_, _) -> Behaviour.SERVES);
    lab.runtime.networkProblem("cni plugin not initialized");
    lab.until(5);
    assertThat(lab.events)
        .contains("NetworkNotReady network is not ready: cni plugin not initialized");
    assertThat(lab.runtime.calls()).isEmpty();
    lab.runtime.networkProblem(null);
    lab.until(7);
    assertThat(lab.state("c")).isEqualTo("running");
  }
}
