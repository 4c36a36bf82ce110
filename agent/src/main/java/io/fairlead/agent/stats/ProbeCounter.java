package io.fairlead.agent.stats;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.ProbeOutcome;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the answers to probes, of the pods that are here: an answer may come when its pod is
/// gone, and would be counted for ever. Safe for many threads.
public final class ProbeCounter {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter answers =
      Counter.builder()
          .name("prober_probe_total")
          .help("Cumulative number of a liveness, readiness or startup probe by result")
          .labelNames("container", "namespace", "pod", "pod_uid", "probe_type", "result")
          .register(registry);
  // By uid. A pod is counted for and taken away under the map's lock for it.
  private final Map<String, Boolean> here = new ConcurrentHashMap<>();

  /// A pod is here.
  public void begin(Pod pod) {
    here.put(pod.uid(), true);
  }

  /// One answer came.
  public void count(Pod pod, Container container, Probe.Kind kind, ProbeOutcome outcome) {
    here.computeIfPresent(
        pod.uid(),
        (_, known) -> {
          add(pod, container, kind, outcome);
          return known;
        });
  }

  private void add(Pod pod, Container container, Probe.Kind kind, ProbeOutcome outcome) {
    answers
        .labelValues(
            container.name(),
            pod.namespace(),
            pod.name(),
            pod.uid(),
            kind.word(),
            switch (outcome) {
              case ProbeOutcome.Success _ -> "successful";
              case ProbeOutcome.Failure _ -> "failed";
              case ProbeOutcome.Unknown _ -> "unknown";
            })
        .inc();
  }

  /// A pod is gone, and its numbers with it.
  public void forget(Pod pod) {
    here.remove(pod.uid());
    for (Container container : pod.allContainers().toList()) {
      for (Probe.Kind kind : Probe.Kind.values()) {
        for (String result : new String[] {"successful", "failed", "unknown"}) {
          answers.remove(
              container.name(), pod.namespace(), pod.name(), pod.uid(), kind.word(), result);
        }
      }
    }
  }

  PrometheusRegistry registry() {
    return registry;
  }
}
