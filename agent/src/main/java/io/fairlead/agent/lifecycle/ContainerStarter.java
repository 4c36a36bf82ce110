package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.status.ContainerStateWaiting;
import io.fairlead.agent.status.PodView;
import io.fairlead.api.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Starts containers: their rest after a crash, their image, their making. Remembers why one could
/// not start. Owned by the pod's worker.
final class ContainerStarter {
  /// What came of wanting a container to run.
  ///
  /// @param started the identity of the run; empty when it does not run
  /// @param again when to try once more
  record Attempt(Optional<String> started, Optional<Instant> again) {}

  private final PodWorkerDependencies dependencies;
  private final Backoffs crashes;
  private final Backoffs pulls;
  private final Backoffs makings;
  private final Map<String, ContainerStateWaiting> waiting = new HashMap<>();
  private final Map<String, Instant> failed = new HashMap<>();
  private final Map<String, Instant> notMade = new HashMap<>();
  private final Map<String, Instant> pullFailed = new HashMap<>();
  private final Map<String, String> pullTexts = new HashMap<>();
  private final Map<String, Integer> nextAttempts = new HashMap<>();

  /// @param before the pod's status when this agent first saw it
  ContainerStarter(PodWorkerDependencies dependencies, JsonNode before) {
    this.dependencies = dependencies;
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      before.path(list).forEach(this::remember);
    }
    this.crashes = new Backoffs(dependencies.settings().crash());
    this.pulls = new Backoffs(dependencies.settings().image());
    this.makings = new Backoffs(dependencies.settings().making());
  }

  /// A container that ran before goes on counting, also when the runtime has forgotten its runs: a
  /// machine that was switched off has.
  private void remember(JsonNode status) {
    int restarts = status.path("restartCount").asInt(0);
    boolean ran = restarts > 0 || !Json.textOr(status, "", "containerID").isEmpty();
    if (ran) {
      nextAttempts.put(Json.textOr(status, "", "name"), restarts + 1);
    }
  }

  /// Why a container does not run.
  Optional<ContainerStateWaiting> waiting(String container) {
    return Optional.ofNullable(waiting.get(container));
  }

  void waitFor(String container, ContainerStateWaiting reason) {
    waiting.put(container, reason);
  }

  /// The pod has changed: what could not be made may be made now.
  void podChanged() {
    notMade.clear();
  }

  Attempt start(Pod pod, Container container, SandboxInfo sandbox, PodView view, Instant now) {
    String name = container.name();
    Instant tried = notMade.get(name);
    if (tried != null) {
      // Every report of a failure brings the pod back as changed: only time counts here.
      Instant again = tried.plus(makings.rest(name, now));
      if (now.isBefore(again)) {
        return new Attempt(Optional.empty(), Optional.of(again));
      }
    }
    Optional<ContainerInfo> latest = view.latest(name);
    Instant ended =
        latest.filter(ContainerInfo::exited).map(ContainerInfo::finishedAt).orElse(null);
    Instant broken = failed.get(name);
    if (broken != null && (ended == null || broken.isAfter(ended))) {
      ended = broken;
    }
    String key = name + " " + container.hash();
    if (ended != null) {
      Duration rest = crashes.rest(key, now);
      if (now.isBefore(ended.plus(rest))) {
        crashLoop(pod, name, rest);
        return new Attempt(Optional.empty(), Optional.of(ended.plus(rest)));
      }
    }
    try {
      Optional<Instant> again = image(pod, container, now);
      if (again.isPresent()) {
        return new Attempt(Optional.empty(), again);
      }
      int attempt = latest.map(run -> run.attempt() + 1).orElse(nextAttempts.getOrDefault(name, 0));
      String id = make(pod, container, sandbox, view, attempt);
      notMade.remove(name);
      makings.forget(name);
      if (ended != null) {
        crashes.step(key, now);
      }
      run(pod, container, id, key, ended != null, now);
      return new Attempt(Optional.of(id), Optional.empty());
    } catch (RuntimeFailure e) {
      waiting.put(name, new ContainerStateWaiting(e.reason(), e.text()));
      dependencies.reports().event(pod, true, "Failed", "Error: " + e.text());
      makings.step(name, now);
      notMade.put(name, now);
      return new Attempt(Optional.empty(), Optional.of(now.plus(makings.rest(name, now))));
    }
  }

  private void crashLoop(Pod pod, String name, Duration rest) {
    String text =
        "back-off "
            + spelled(rest)
            + " restarting failed container="
            + name
            + " pod="
            + pod.name()
            + "_"
            + pod.namespace()
            + "("
            + pod.uid()
            + ")";
    ContainerStateWaiting reason = new ContainerStateWaiting("CrashLoopBackOff", text);
    if (!reason.equals(waiting.put(name, reason))) {
      dependencies
          .reports()
          .event(pod, true, "BackOff", text.replaceFirst("back-off [^ ]+", "Back-off"));
    }
  }

  private String make(
      Pod pod, Container container, SandboxInfo sandbox, PodView view, int attempt) {
    ContainerRuntime runtime = dependencies.runtime();
    List<String> addresses =
        pod.hostNetwork() ? dependencies.statuses().nodeAddresses() : sandbox.addresses();
    ContainerConfig config = dependencies.files().container(pod, container, attempt, addresses);
    String target = Json.textOr(container.body(), "", "targetContainerName");
    String id =
        runtime.create(
            sandbox.id(), target.isEmpty() ? config : config.targeting(running(view, target)));
    dependencies.reports().event(pod, false, "Created", "Created container: " + container.name());
    return id;
  }

  private static String running(PodView view, String container) {
    return view.current(container)
        .filter(ContainerInfo::running)
        .map(ContainerInfo::id)
        .orElseThrow(
            () ->
                new RuntimeFailure(
                    "CreateContainerConfigError",
                    "target container \"" + container + "\" is not running"));
  }

  private void run(
      Pod pod, Container container, String id, String key, boolean again, Instant now) {
    try {
      dependencies.runtime().start(id);
    } catch (RuntimeFailure e) {
      if (!ended(id)) {
        dependencies.runtime().remove(id);
      }
      failed.put(container.name(), now);
      if (!again) {
        crashes.step(key, now);
      }
      throw e;
    }
    waiting.remove(container.name());
    failed.remove(container.name());
    dependencies.reports().event(pod, false, "Started", "Started container " + container.name());
  }

  /// Whether the runtime counts a start that failed as a run: engines do (`StartError`).
  private boolean ended(String id) {
    return dependencies.runtime().containers().stream()
        .anyMatch(run -> run.id().equals(id) && run.exited());
  }

  /// Sees to the image. Returns when to look again if it cannot be had now.
  private Optional<Instant> image(Pod pod, Container container, Instant now) {
    ContainerRuntime runtime = dependencies.runtime();
    String image = container.image();
    boolean present = runtime.image(image).isPresent();
    if (present && !container.pullPolicy().equals("Always")) {
      dependencies
          .reports()
          .event(
              pod, false, "Pulled", "Container image \"" + image + "\" already present on machine");
      return Optional.empty();
    }
    if (container.pullPolicy().equals("Never")) {
      String text = "Container image \"" + image + "\" is not present with pull policy of Never";
      dependencies.reports().event(pod, true, "ErrImageNeverPull", text);
      waiting.put(container.name(), new ContainerStateWaiting("ErrImageNeverPull", text));
      return Optional.of(now.plus(dependencies.settings().retry()));
    }
    Instant ended = pullFailed.get(image);
    Instant due = ended == null ? now : ended.plus(pulls.rest(image, now));
    if (now.isBefore(due)) {
      String text = "Back-off pulling image \"" + image + "\": " + pullTexts.get(image);
      ContainerStateWaiting reason = new ContainerStateWaiting("ImagePullBackOff", text);
      if (!reason.equals(waiting.put(container.name(), reason))) {
        dependencies.reports().event(pod, false, "BackOff", text);
      }
      return Optional.of(due);
    }
    try {
      dependencies.reports().event(pod, false, "Pulling", "Pulling image \"" + image + "\"");
      runtime.pull(image, dependencies.files().credentials(pod, image));
      pullFailed.remove(image);
      pulls.forget(image);
      dependencies
          .reports()
          .event(pod, false, "Pulled", "Successfully pulled image \"" + image + "\"");
      return Optional.empty();
    } catch (RuntimeFailure e) {
      pulls.step(image, now);
      pullFailed.put(image, now);
      pullTexts.put(image, e.reason() + ": " + e.text());
      waiting.put(container.name(), new ContainerStateWaiting(e.reason(), e.text()));
      dependencies
          .reports()
          .event(pod, true, "Failed", "Failed to pull image \"" + image + "\": " + e.text());
      return Optional.of(now.plus(pulls.rest(image, now)));
    }
  }

  /// As Go prints a duration of whole seconds: `40s`, `1m20s`, `5m0s`.
  private static String spelled(Duration time) {
    long seconds = time.toSeconds();
    if (seconds == 0) {
      return time.toMillis() + "ms";
    }
    return seconds < 60 ? seconds + "s" : seconds / 60 + "m" + seconds % 60 + "s";
  }
}
