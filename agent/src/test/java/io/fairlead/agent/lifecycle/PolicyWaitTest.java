package io.fairlead.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.lifecycle.PolicyProgress.State;
import io.fairlead.agent.testing.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Specification 5.2: when the containers of a pod start where NetworkPolicies are enforced.
class PolicyWaitTest {
  private static final String POD =
      "spec: {restartPolicy: Always, containers: [{name: c, image: i}]}";

  /// @param policies how far the policy component is at a second
  /// @param started the seconds at which the container starts within the first 100
  record Row(
      String name,
      String pod,
      PodLifecycleFixture.Policies policies,
      List<Long> started,
      List<String> reasons) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row(
            "no policy component is waited for: at once",
            POD,
            (_, _) -> State.NOT_AWAITED,
            List.of(0L),
            List.of()),
        new Row(
            "PV73 the report shows the version that has the address: at once",
            POD,
            (_, version) -> version.isPresent() ? State.IN_FORCE : State.BEHIND,
            List.of(0L),
            List.of()),
        new Row(
            "the report shows the pod after 3 s: then",
            POD,
            (second, _) -> second < 3 ? State.BEHIND : State.IN_FORCE,
            List.of(3L),
            List.of()),
        new Row(
            "a live report that never shows it: after 10 s, the gate keeps it closed",
            POD,
            (_, _) -> State.BEHIND,
            List.of(10L),
            List.of("PolicyLate")),
        new Row(
            "PV74 no live report: held for as long as it takes, an event every 30 s",
            POD,
            (_, _) -> State.ABSENT,
            List.of(),
            List.of("PolicyNotReady", "PolicyNotReady", "PolicyNotReady", "PolicyNotReady")),
        new Row(
            "the component starts late: held until it shows the pod",
            POD,
            (second, _) -> second < 20 ? State.ABSENT : second < 25 ? State.BEHIND : State.IN_FORCE,
            List.of(25L),
            List.of("PolicyNotReady")),
        new Row(
            "it dies while the pod waits: held again, its ten seconds begin with its return",
            POD,
            (second, _) -> second < 5 || second >= 20 ? State.BEHIND : State.ABSENT,
            List.of(30L),
            List.of("PolicyNotReady", "PolicyLate")),
        new Row(
            "a pod in the node's network does not wait",
            "spec: {hostNetwork: true, containers: [{name: c, image: i}]}",
            (_, _) -> State.ABSENT,
            List.of(0L),
            List.of()));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void containersStart(Row row) {
    PodLifecycleFixture lab = waiting(row.pod(), row.policies());
    lab.until(100);
    assertThat(lab.seconds("start c")).isEqualTo(row.started());
    assertThat(reasons(lab)).isEqualTo(row.reasons());
    assertThat(lab.runtime.sandboxes()).hasSize(1);
  }

  private static PodLifecycleFixture waiting(String pod, PodLifecycleFixture.Policies policies) {
    PodLifecycleFixture lab = new PodLifecycleFixture(pod, (_, _) -> Behaviour.SERVES);
    lab.policies = policies;
    // Wakes the machine each second, as a changed report does.
    for (long second = 1; second < 100; second++) {
      lab.wakeAt(second);
    }
    return lab;
  }

  private static List<String> reasons(PodLifecycleFixture lab) {
    return lab.events.stream()
        .map(event -> event.substring(0, event.indexOf(' ')))
        .filter(reason -> reason.startsWith("Policy"))
        .toList();
  }

  @Test
  void initContainersWaitToo() {
    PodLifecycleFixture lab =
        waiting(
            "spec: {initContainers: [{name: i, image: i}], containers: [{name: c, image: i}]}",
            (second, _) -> second < 4 ? State.BEHIND : State.IN_FORCE);
    lab.until(3);
    assertThat(lab.seconds("start i")).isEmpty();
    assertThat(lab.phase()).isEqualTo("Pending");
    assertThat(lab.status().path("podIPs")).hasSize(1);
    lab.until(6);
    assertThat(lab.seconds("start i")).containsExactly(4L);
  }

  @Test
  void aContainerThatCrashesDoesNotWaitAgain() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(POD, (_, _) -> Behaviour.exits(1, Duration.ofSeconds(1)));
    lab.policies = (second, _) -> second == 0 ? State.IN_FORCE : State.ABSENT;
    lab.until(5);
    assertThat(lab.seconds("start c")).containsExactly(0L, 1L);
  }

  @Test
  void anAgentThatComesBackLeavesRunningPodsAlone() {
    PodLifecycleFixture lab = new PodLifecycleFixture(POD, (_, _) -> Behaviour.SERVES);
    lab.policies = (second, _) -> second == 0 ? State.IN_FORCE : State.ABSENT;
    lab.until(5);
    lab.restartAgent().until(50);
    assertThat(lab.phase()).isEqualTo("Running");
    assertThat(reasons(lab)).isEmpty();
  }

  @Test
  void anAgentThatComesBackHoldsAPodThatWaited() {
    PodLifecycleFixture lab = waiting(POD, (_, _) -> State.ABSENT);
    lab.until(5);
    lab.restartAgent().until(20);
    assertThat(lab.seconds("start c")).isEmpty();
    lab.policies = (_, _) -> State.IN_FORCE;
    lab.until(90);
    assertThat(lab.seconds("start c")).hasSize(1);
  }

  @Test
  void aHeldPodCanBeDeleted() {
    PodLifecycleFixture lab = waiting(POD, (_, _) -> State.ABSENT);
    lab.until(5);
    lab.delete(30).until(10);
    assertThat(lab.seconds("start c")).isEmpty();
    assertThat(lab.removed).isTrue();
  }
}
