package io.fairlead.controller.job;

import static io.fairlead.client.ResourceType.JOBS;
import static io.fairlead.client.ResourceType.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.DeleteOptions;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class JobControllerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(List.of(wiring -> new JobController(wiring, 0)))
          .sees(Job.KIND, JOBS)
          .sees(WorkloadPod.KIND, PODS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void job(String spec) {
    world.create(
        JOBS,
        """
        metadata: {name: work}
        spec:
          parallelism: 1
          completions: 1
          backoffLimit: 6
          selector: {matchLabels: {job-name: work}}
          template:
            metadata: {labels: {job-name: work}}
            spec: {restartPolicy: Never, containers: [{name: work, image: "work:1"}]}
        """);
    world.patch(JOBS, "work", "spec: " + spec);
    world.settle();
  }

  private List<String> active() {
    return world.pods().stream().filter(WorkloadPod::active).map(pod -> pod.key().name()).toList();
  }

  private void end(String pod, String phase) {
    world.ends(pod, phase);
    world.settle();
  }

  private JsonNode status() {
    return world.get(JOBS, "work").path("status");
  }

  private String reason(String type) {
    JsonNode condition = StatusConditions.find(status(), type);
    return Json.textOr(condition, "", "status") + " " + Json.textOr(condition, "", "reason");
  }

  @Test
  void oneSuccessCompletesIt() {
    job("{}");
    assertThat(active()).hasSize(1);
    WorkloadPod pod = world.pods().getFirst();
    assertThat(pod.metadata().finalizers()).containsExactly(JobPod.FINALIZER);
    assertThat(pod.metadata().labels())
        .containsEntry("batch.kubernetes.io/job-name", "work")
        .containsKey("batch.kubernetes.io/controller-uid");
    end(pod.key().name(), "Succeeded");
    assertThat(reason("Complete")).isEqualTo("True CompletionsReached");
    assertThat(reason("SuccessCriteriaMet")).isEqualTo("True CompletionsReached");
    assertThat(status().path("succeeded").asInt()).isEqualTo(1);
    assertThat(status().path("uncountedTerminatedPods").isEmpty()).isTrue();
    assertThat(Json.text(status(), "completionTime")).isNotNull();
    assertThat(world.pods()).hasSize(1).allMatch(one -> one.metadata().finalizers().isEmpty());
    world.until(() -> !world.messages("Completed").isEmpty());
  }

  @Test
  void soManyAtOnceAndSoManyInAll() {
    job("{parallelism: 2, completions: 3}");
    assertThat(active()).hasSize(2);
    end(active().getFirst(), "Succeeded");
    assertThat(active()).hasSize(2);
    end(active().getFirst(), "Succeeded");
    assertThat(active()).as("only one is missing").hasSize(1);
    end(active().getFirst(), "Succeeded");
    assertThat(reason("Complete")).isEqualTo("True CompletionsReached");
    assertThat(status().path("succeeded").asInt()).isEqualTo(3);
  }

  @Test
  void afterAFailureAnotherIsTriedButNotAtOnce() {
    job("{backoffLimit: 1}");
    end(active().getFirst(), "Failed");
    assertThat(active()).isEmpty();
    assertThat(status().path("failed").asInt()).isEqualTo(1);
    world.advance(Duration.ofSeconds(9));
    assertThat(active()).isEmpty();
    world.advance(Duration.ofSeconds(2));
    assertThat(active()).hasSize(1);
    end(active().getFirst(), "Failed");
    assertThat(reason("Failed")).isEqualTo("True BackoffLimitExceeded");
    assertThat(reason("FailureTarget")).isEqualTo("True BackoffLimitExceeded");
    assertThat(status().path("failed").asInt()).isEqualTo(2);
    world.advance(Duration.ofMinutes(20));
    assertThat(active()).isEmpty();
  }

  @Test
  void nodesThatRestartTooOftenEndItToo() {
    job("{backoffLimit: 2, template: {spec: {restartPolicy: OnFailure}}}");
    String pod = active().getFirst();
    world.patch(PODS, pod, "spec: {nodeName: n1}");
    world.patchStatus(
        PODS,
        pod,
        Yaml.parse("{phase: Running, containerStatuses: [{name: work, restartCount: 2}]}"));
    world.settle();
    assertThat(reason("FailureTarget")).isEqualTo("True BackoffLimitExceeded");
    world.reap();
    assertThat(reason("Failed")).isEqualTo("True BackoffLimitExceeded");
  }

  @Test
  void pastItsDeadlineItFails() {
    job("{activeDeadlineSeconds: 30}");
    world.runs(active().getFirst(), true);
    world.advance(Duration.ofSeconds(29));
    assertThat(reason("FailureTarget")).isBlank();
    world.advance(Duration.ofSeconds(2));
    assertThat(reason("FailureTarget")).isEqualTo("True DeadlineExceeded");
    assertThat(world.pods()).allMatch(WorkloadPod::terminating);
    assertThat(reason("Failed")).as("not before its pods are gone").isBlank();
    world.reap();
    assertThat(reason("Failed")).isEqualTo("True DeadlineExceeded");
  }

  @Test
  void suspendedItHasNoPods() {
    job("{suspend: true}");
    assertThat(world.pods()).isEmpty();
    assertThat(reason("Suspended")).isEqualTo("True JobSuspended");
    world.patch(JOBS, "work", "spec: {suspend: false}");
    world.settle();
    assertThat(active()).hasSize(1);
    assertThat(reason("Suspended")).isEqualTo("False JobResumed");
    world.runs(active().getFirst(), true);
    world.patch(JOBS, "work", "spec: {suspend: true}");
    world.settle();
    assertThat(active()).isEmpty();
  }

  @Test
  void ofAnIndexedJobEveryIndexSucceedsOnce() {
    job("{completionMode: Indexed, parallelism: 3, completions: 3}");
    assertThat(world.pods())
        .extracting(WorkloadPod::completionIndex)
        .containsExactlyInAnyOrder(0, 1, 2);
    JsonNode pod = world.list(PODS).getFirst();
    assertThat(Json.text(pod, "spec", "hostname")).startsWith("work-");
    assertThat(pod.at("/spec/containers/0/env/0/name").asString(""))
        .isEqualTo("JOB_COMPLETION_INDEX");
    for (WorkloadPod one : world.pods()) {
      if (one.completionIndex() != 1) {
        end(one.key().name(), "Succeeded");
      }
    }
    assertThat(Json.text(status(), "completedIndexes")).isEqualTo("0,2");
    end(active().getFirst(), "Failed");
    world.advance(Duration.ofSeconds(11));
    assertThat(world.pods().stream().filter(WorkloadPod::active))
        .extracting(WorkloadPod::completionIndex)
        .containsExactly(1);
    end(active().getFirst(), "Succeeded");
    assertThat(Json.text(status(), "completedIndexes")).isEqualTo("0-2");
    assertThat(reason("Complete")).isEqualTo("True CompletionsReached");
  }

  @Test
  void afterItsTimeItIsDeleted() {
    job("{ttlSecondsAfterFinished: 60}");
    end(active().getFirst(), "Succeeded");
    world.advance(Duration.ofSeconds(59));
    assertThat(world.get(JOBS, "work").path("metadata").has("deletionTimestamp")).isFalse();
    world.advance(Duration.ofSeconds(2));
    assertThat(world.get(JOBS, "work").path("metadata").has("deletionTimestamp")).isTrue();
  }

  /// @param status of a pod that failed
  /// @param reason of the condition FailureTarget, empty when the Job goes on
  /// @param failed how many pods count as failed
  record Policy(String name, String rules, String status, String reason, int failed) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Policy> policies() {
    String fatal = "{action: FailJob, onExitCodes: {operator: In, values: [42]}}";
    String exit42 = "containerStatuses: [{name: work, state: {terminated: {exitCode: 42}}}]";
    String exit1 = "containerStatuses: [{name: work, state: {terminated: {exitCode: 1}}}]";
    String disrupted = "conditions: [{type: DisruptionTarget, status: 'True'}]";
    String ignore = "{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: 'True'}]}";
    return Stream.of(
        new Policy("a fatal exit code fails the Job", fatal, exit42, "True PodFailurePolicy", 1),
        new Policy("another exit code counts", fatal, exit1, " ", 1),
        new Policy("a disrupted pod does not count", ignore, disrupted, " ", 0),
        new Policy(
            "the first rule that fits decides",
            ignore + ", " + fatal,
            exit42 + ", " + disrupted,
            " ",
            0),
        new Policy(
            "a condition that is False fits no rule",
            ignore,
            "conditions: [{type: DisruptionTarget, status: 'False'}]",
            " ",
            1),
        new Policy(
            "any code but one fails the Job",
            "{action: FailJob, onExitCodes: {operator: NotIn, values: [1]}}",
            exit42,
            "True PodFailurePolicy",
            1),
        new Policy(
            "the code of another container does not matter",
            "{action: FailJob, onExitCodes: {containerName: side, operator: In, values: [42]}}",
            exit42,
            " ",
            1),
        new Policy(
            "an init container's code does",
            fatal,
            "initContainerStatuses: [{name: first, state: {terminated: {exitCode: 42}}}]",
            "True PodFailurePolicy",
            1));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void failurePolicyDecides(Policy policy) {
    job("{podFailurePolicy: {rules: [" + policy.rules() + "]}}");
    String pod = active().getFirst();
    world.patch(PODS, pod, "spec: {nodeName: n1}");
    world.patchStatus(PODS, pod, Yaml.parse("{phase: Failed, " + policy.status() + "}"));
    world.settle();
    assertThat(reason("FailureTarget")).isEqualTo(policy.reason());
    assertThat(reason("Failed")).isEqualTo(policy.reason());
    assertThat(status().path("failed").asInt(0)).isEqualTo(policy.failed());
    world.advance(Duration.ofSeconds(11));
    assertThat(active()).hasSize(policy.reason().isBlank() ? 1 : 0);
  }

  @Test
  void failurePolicyNamesPodAndRule() {
    job(
        "{podFailurePolicy: {rules: [{action: FailJob, onExitCodes:"
            + " {operator: In, values: [42]}}]}}");
    String pod = active().getFirst();
    world.patch(PODS, pod, "spec: {nodeName: n1}");
    world.patchStatus(
        PODS,
        pod,
        Yaml.parse(
            "{phase: Failed, containerStatuses: [{name: work, state: {terminated: {exitCode:"
                + " 42}}}]}"));
    world.settle();
    assertThat(Json.textOr(StatusConditions.find(status(), "Failed"), "", "message"))
        .isEqualTo(
            "Container work for pod default/"
                + pod
                + " failed with exit code 42 matching FailJob rule at index 0");
  }

  @Test
  void withAPolicyAPodOnItsWayOutIsReplacedWhenItHasEnded() {
    job(
        "{podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type:"
            + " DisruptionTarget, status: 'True'}]}]}}");
    String pod = active().getFirst();
    world.runs(pod, true);
    world.delete(PODS, pod, DeleteOptions.DEFAULT);
    world.settle();
    assertThat(active()).isEmpty();
    assertThat(status().path("failed").asInt(0)).isZero();
    world.ends(pod, "Failed");
    world.settle();
    world.advance(Duration.ofSeconds(11));
    assertThat(status().path("failed").asInt(0)).isEqualTo(1);
    assertThat(active()).hasSize(1).doesNotContain(pod);
  }

  @Test
  void indexesAreWrittenAsRanges() {
    assertThat(CompletionIndexes.text(Set.of(0, 1, 2, 5, 7, 8))).isEqualTo("0-2,5,7-8");
    assertThat(CompletionIndexes.parse("0-2,5,7-8")).containsExactly(0, 1, 2, 5, 7, 8);
    assertThat(CompletionIndexes.text(Set.of())).isEmpty();
  }

  private String podOf(int index) {
    return world.pods().stream()
        .filter(pod -> pod.active() && pod.completionIndex() == index)
        .map(pod -> pod.key().name())
        .findFirst()
        .orElseThrow();
  }

  private String indexed(String more) {
    return "{completionMode: Indexed, backoffLimit: 2147483647, " + more + "}";
  }

  @Test
  void everyIndexHasItsOwnLimitOfFailures() {
    job(indexed("completions: 2, parallelism: 2, backoffLimitPerIndex: 1"));
    end(podOf(0), "Failed");
    assertThat(active()).as("the other goes on, the failed one waits").hasSize(1);
    assertThat(status().path("failed").asInt()).as("held until its successor exists").isZero();
    world.advance(Duration.ofSeconds(11));
    assertThat(active()).hasSize(2);
    assertThat(world.get(PODS, podOf(0)).at("/metadata/annotations").toString())
        .contains("\"batch.kubernetes.io/job-index-failure-count\":\"1\"");
    assertThat(status().path("failed").asInt()).isEqualTo(1);
    end(podOf(0), "Failed");
    assertThat(Json.text(status(), "failedIndexes")).isEqualTo("0");
    world.advance(Duration.ofMinutes(20));
    assertThat(active()).as("a failed index is not tried again").hasSize(1);
    end(podOf(1), "Succeeded");
    assertThat(reason("Failed")).isEqualTo("True FailedIndexes");
    assertThat(Json.text(status(), "completedIndexes")).isEqualTo("1");
    assertThat(status().path("failed").asInt()).isEqualTo(2);
    assertThat(world.pods()).allMatch(pod -> pod.metadata().finalizers().isEmpty());
  }

  @Test
  void moreFailedIndexesThanAllowedEndIt() {
    job(indexed("completions: 4, parallelism: 3, backoffLimitPerIndex: 0, maxFailedIndexes: 1"));
    end(podOf(0), "Failed");
    assertThat(reason("FailureTarget")).isEqualTo(" ");
    end(podOf(1), "Failed");
    assertThat(reason("FailureTarget")).isEqualTo("True MaxFailedIndexesExceeded");
    world.reap();
    assertThat(reason("Failed")).isEqualTo("True MaxFailedIndexesExceeded");
    assertThat(Json.text(status(), "failedIndexes")).isEqualTo("0-1");
  }

  @Test
  void aRuleMayFailTheIndexAtOnce() {
    job(
        indexed(
            """
            completions: 2, parallelism: 2, backoffLimitPerIndex: 5,
            podFailurePolicy: {rules: [
              {action: FailIndex, onExitCodes: {operator: In, values: [42]}}]}"""));
    String pod = podOf(0);
    world.patchStatus(
        PODS,
        pod,
        Yaml.parse(
            "{phase: Failed, containerStatuses: [{name: work, state: {terminated: {exitCode: 42}}}]}"));
    world.settle();
    assertThat(Json.text(status(), "failedIndexes")).isEqualTo("0");
    assertThat(active()).hasSize(1);
  }

  record Success(String name, String rules, List<Integer> succeed, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Success> successPolicies() {
    return Stream.of(
        new Success("all of some indexes", "{succeededIndexes: '0'}", List.of(0), "at index 0"),
        new Success("so many of any", "{succeededCount: 1}", List.of(2), "at index 0"),
        new Success(
            "so many of some",
            "{succeededIndexes: '0,2', succeededCount: 1}",
            List.of(2),
            "at index 0"),
        new Success(
            "the second rule",
            "{succeededIndexes: '0-2'}, {succeededIndexes: '1-2', succeededCount: 1}",
            List.of(1),
            "at index 1"),
        new Success("all there are", "{succeededCount: 3}", List.of(0, 1, 2), "at index 0"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void successPolicies(Success row) {
    job(indexed("completions: 3, parallelism: 3, successPolicy: {rules: [" + row.rules() + "]}"));
    world.pods().forEach(pod -> world.runs(pod.key().name(), true));
    row.succeed().forEach(index -> end(podOf(index), "Succeeded"));
    assertThat(reason("SuccessCriteriaMet")).isEqualTo("True SuccessPolicy");
    assertThat(StatusConditions.find(status(), "SuccessCriteriaMet").path("message").asString())
        .isEqualTo("Matched rules " + row.message());
    world.reap();
    assertThat(active()).isEmpty();
    assertThat(reason("Complete")).isEqualTo("True SuccessPolicy");
  }

  @Test
  void aPodThatIsReleasedLosesItsFinalizer() {
    job("{}");
    String pod = active().getFirst();
    world.patch(PODS, pod, "metadata: {labels: {job-name: other}}");
    world.settle();
    JsonNode released = world.get(PODS, pod);
    assertThat(released.at("/metadata/ownerReferences").isEmpty()).isTrue();
    assertThat(released.at("/metadata/finalizers").isEmpty()).isTrue();
    assertThat(active()).as("and another is made in its place").hasSize(2);
  }

  @Test
  void whatAnotherControllerManagesIsLeftAlone() {
    world.create(
        JOBS,
        """
        metadata: {name: work}
        spec:
          managedBy: example.com/jobs
          selector: {matchLabels: {job-name: work}}
          template: {metadata: {labels: {job-name: work}}, spec: {}}
        """);
    world.settle();
    assertThat(world.pods()).isEmpty();
    assertThat(status().isEmpty()).isTrue();
  }
}
