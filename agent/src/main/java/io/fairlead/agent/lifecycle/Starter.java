package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.status.PodView;
import io.fairlead.agent.status.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Starts containers: their rest after a crash, their image, their making. Remembers why one could
/// not start. Owned by the pod's worker.
final class Starter {
  /// What came of wanting a container to run.
  ///
  /// @param started the identity of the run; empty when it does not run
  /// @param again when to try once more
  record Attempt(Optional<String> started, Optional<Instant> again) {}

  private final Surroundings surroundings;
  private final Backoffs crashes;
  private final Backoffs pulls;
  private final Map<String, Waiting> waiting = new HashMap<>();
  private final Map<String, Instant> failed = new HashMap<>();
  private final Map<String, Instant> pullFailed = new HashMap<>();
  private final Map<String, String> pullTexts = new HashMap<>();

  Starter(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.crashes = new Backoffs(surroundings.settings().crash());
    this.pulls = new Backoffs(surroundings.settings().image());
  }

  /// Why a container does not run.
  Optional<Waiting> waiting(String container) {
    return Optional.ofNullable(waiting.get(container));
  }

  void waitFor(String container, Waiting reason) {
    waiting.put(container, reason);
  }

  Attempt start(Pod pod, Container container, SandboxInfo sandbox, PodView view, Instant now) {
    String name = container.name();
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
      int attempt = latest.map(run -> run.attempt() + 1).orElse(0);
      String id = make(pod, container, sandbox, attempt);
      if (ended != null) {
        crashes.step(key, now);
      }
      run(pod, container, id, key, ended != null, now);
      return new Attempt(Optional.of(id), Optional.empty());
    } catch (RuntimeFailure e) {
      waiting.put(name, new Waiting(e.reason(), e.text()));
      surroundings.reports().event(pod, true, "Failed", "Error: " + e.text());
      return new Attempt(Optional.empty(), Optional.of(now.plus(surroundings.settings().retry())));
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
    Waiting reason = new Waiting("CrashLoopBackOff", text);
    if (!reason.equals(waiting.put(name, reason))) {
      surroundings
          .reports()
          .event(pod, true, "BackOff", text.replaceFirst("back-off [^ ]+", "Back-off"));
    }
  }

  private String make(Pod pod, Container container, SandboxInfo sandbox, int attempt) {
    ContainerRuntime runtime = surroundings.runtime();
    List<String> addresses =
        pod.hostNetwork() ? surroundings.statuses().nodeAddresses() : sandbox.addresses();
    String id =
        runtime.create(
            sandbox.id(), surroundings.files().container(pod, container, attempt, addresses));
    surroundings.reports().event(pod, false, "Created", "Created container: " + container.name());
    return id;
  }

  private void run(
      Pod pod, Container container, String id, String key, boolean again, Instant now) {
    try {
      surroundings.runtime().start(id);
    } catch (RuntimeFailure e) {
      surroundings.runtime().remove(id);
      failed.put(container.name(), now);
      if (!again) {
        crashes.step(key, now);
      }
      throw e;
    }
    waiting.remove(container.name());
    failed.remove(container.name());
    surroundings.reports().event(pod, false, "Started", "Started container " + container.name());
  }

  /// Sees to the image. Returns when to look again if it cannot be had now.
  private Optional<Instant> image(Pod pod, Container container, Instant now) {
    ContainerRuntime runtime = surroundings.runtime();
    String image = container.image();
    boolean present = runtime.image(image).isPresent();
    if (present && !container.pullPolicy().equals("Always")) {
      surroundings
          .reports()
          .event(
              pod, false, "Pulled", "Container image \"" + image + "\" already present on machine");
      return Optional.empty();
    }
    if (container.pullPolicy().equals("Never")) {
      String text = "Container image \"" + image + "\" is not present with pull policy of Never";
      surroundings.reports().event(pod, true, "ErrImageNeverPull", text);
      waiting.put(container.name(), new Waiting("ErrImageNeverPull", text));
      return Optional.of(now.plus(surroundings.settings().retry()));
    }
    Instant ended = pullFailed.get(image);
    Instant due = ended == null ? now : ended.plus(pulls.rest(image, now));
    if (now.isBefore(due)) {
      String text = "Back-off pulling image \"" + image + "\": " + pullTexts.get(image);
      Waiting reason = new Waiting("ImagePullBackOff", text);
      if (!reason.equals(waiting.put(container.name(), reason))) {
        surroundings.reports().event(pod, false, "BackOff", text);
      }
      return Optional.of(due);
    }
    try {
      surroundings.reports().event(pod, false, "Pulling", "Pulling image \"" + image + "\"");
      runtime.pull(image, surroundings.files().credentials(pod, image));
      pullFailed.remove(image);
      pulls.forget(image);
      surroundings
          .reports()
          .event(pod, false, "Pulled", "Successfully pulled image \"" + image + "\"");
      return Optional.empty();
    } catch (RuntimeFailure e) {
      pulls.step(image, now);
      pullFailed.put(image, now);
      pullTexts.put(image, e.reason() + ": " + e.text());
      waiting.put(container.name(), new Waiting(e.reason(), e.text()));
      surroundings
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
