package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.ProbeOutcome;
import io.fairlead.agent.probe.ProbeWorker;
import io.fairlead.agent.probe.ProbeWorker.Result;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.status.PodView;
import io.fairlead.api.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// All probes of one pod. Owned by the pod's worker.
final class ProbeSet {
  /// Called when a container must be stopped.
  interface Verdict {
    void ill(Container container, ContainerInfo run, Probe.Kind kind, Probe probe);
  }

  private final PodWorkerDependencies dependencies;
  private final Executor owner;
  private final Verdict verdict;
  private final Map<String, Map<Probe.Kind, ProbeWorker>> workers = new HashMap<>();

  ProbeSet(PodWorkerDependencies dependencies, Executor owner, Verdict verdict) {
    this.dependencies = dependencies;
    this.owner = owner;
    this.verdict = verdict;
  }

  /// Takes over what ran before this agent did, as ready as the API says.
  void adopt(Pod pod, PodView view, UnaryOperator<String> shown, Instant now) {
    pod.allContainers()
        .forEach(
            container -> {
              ContainerInfo run = view.latest(container.name()).orElse(null);
              if (run == null || !run.running()) {
                return;
              }
              JsonNode known = known(pod, shown.apply(run.id()));
              boolean ready = known != null && known.path("ready").asBoolean(false);
              boolean started = known != null && known.path("started").asBoolean(false);
              of(container)
                  .forEach(
                      (kind, worker) -> {
                        boolean well =
                            switch (kind) {
                              case STARTUP -> started;
                              case LIVENESS -> true;
                              case READINESS -> ready;
                            };
                        long wait =
                            dependencies.random().nextLong(worker.probe().period().toMillis());
                        Result result =
                            well
                                ? Result.SUCCESS
                                : kind == Probe.Kind.STARTUP ? Result.UNKNOWN : Result.FAILURE;
                        worker.adopt(run.id(), result, now, Duration.ofMillis(wait));
                      });
            });
  }

  private static @Nullable JsonNode known(Pod pod, String containerId) {
    return Stream.of("initContainerStatuses", "containerStatuses")
        .flatMap(list -> pod.status().path(list).valueStream())
        .filter(one -> Json.textOr(one, "", "containerID").equals(containerId))
        .findFirst()
        .orElse(null);
  }

  boolean started(Container container, @Nullable ContainerInfo run) {
    if (run == null || !run.running()) {
      return false;
    }
    ProbeWorker startup = of(container).get(Probe.Kind.STARTUP);
    return startup == null || startup.result() == Result.SUCCESS;
  }

  boolean ready(Container container, @Nullable ContainerInfo run) {
    if (!started(container, run)) {
      return false;
    }
    ProbeWorker readiness = of(container).get(Probe.Kind.READINESS);
    return readiness == null || readiness.result() == Result.SUCCESS;
  }

  /// Asks what is due.
  ///
  /// @return when something is due next
  Optional<Instant> step(Pod pod, PodView view, boolean ending, Instant now) {
    Instant next = null;
    String address =
        pod.hostNetwork()
            ? dependencies.statuses().nodeAddresses().stream().findFirst().orElse("127.0.0.1")
            : view.sandbox().flatMap(one -> one.addresses().stream().findFirst()).orElse("");
    for (Container container : pod.allContainers().toList()) {
      ContainerInfo run = view.current(container.name()).orElse(null);
      for (Map.Entry<Probe.Kind, ProbeWorker> entry : of(container).entrySet()) {
        ProbeWorker worker = entry.getValue();
        Instant due = worker.look(run, started(container, run), ending, now).orElse(null);
        if (due == null || run == null) {
          continue;
        }
        if (!due.isAfter(now)) {
          ask(pod, container, run, address, entry.getKey(), worker);
          due = now.plus(worker.probe().period());
        }
        next = next == null || due.isBefore(next) ? due : next;
      }
    }
    return Optional.ofNullable(next);
  }

  private void ask(
      Pod pod,
      Container container,
      ContainerInfo run,
      String address,
      Probe.Kind kind,
      ProbeWorker worker) {
    dependencies
        .tasks()
        .probe(
            pod,
            container,
            run.id(),
            address,
            kind,
            worker.probe(),
            outcome -> owner.execute(() -> answered(pod, container, run, kind, worker, outcome)));
  }

  private void answered(
      Pod pod,
      Container container,
      ContainerInfo run,
      Probe.Kind kind,
      ProbeWorker worker,
      ProbeOutcome outcome) {
    switch (outcome) {
      case ProbeOutcome.Failure(String text) ->
          dependencies
              .reports()
              .event(pod, true, "Unhealthy", kind.word() + " probe failed: " + text);
      case ProbeOutcome.Unknown(String text) ->
          dependencies
              .reports()
              .event(pod, true, "Unhealthy", kind.word() + " probe errored: " + text);
      case ProbeOutcome.Success(String warning) -> {
        if (!warning.isEmpty()) {
          dependencies
              .reports()
              .event(pod, true, "ProbeWarning", kind.word() + " probe warning: " + warning);
        }
      }
    }
    boolean acted = worker.answered(run.id(), outcome);
    if (acted && kind != Probe.Kind.READINESS && worker.result() == Result.FAILURE) {
      verdict.ill(container, run, kind, worker.probe());
    }
  }

  private Map<Probe.Kind, ProbeWorker> of(Container container) {
    return workers.computeIfAbsent(
        container.name(),
        _ -> {
          Map<Probe.Kind, ProbeWorker> made = new EnumMap<>(Probe.Kind.class);
          for (Probe.Kind kind : Probe.Kind.values()) {
            container.probe(kind).ifPresent(probe -> made.put(kind, new ProbeWorker(probe, kind)));
          }
          return made;
        });
  }
}
