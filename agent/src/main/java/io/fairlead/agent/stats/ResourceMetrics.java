package io.fairlead.agent.stats;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerUsage;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// What a node and its containers use at one moment, under the names that collectors know. Made for
/// one answer and used by one thread.
final class ResourceMetrics {
  private static final double NANOS = 1e9;
  private static final String[] OF_CONTAINER = {"container", "namespace", "pod"};
  private static final String[] OF_POD = {"namespace", "pod"};

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter cpu =
      counter(
          "container_cpu_usage_seconds",
          "Cumulative cpu time consumed by the container in core-seconds",
          OF_CONTAINER);
  private final Gauge memory =
      gauge(
          "container_memory_working_set_bytes",
          "Current working set of the container in bytes",
          OF_CONTAINER);
  private final Gauge start =
      gauge(
          "container_start_time_seconds",
          "Start time of the container since unix epoch in seconds",
          OF_CONTAINER);
  private final Counter podCpu =
      counter(
          "pod_cpu_usage_seconds",
          "Cumulative cpu time consumed by the pod in core-seconds",
          OF_POD);
  private final Gauge podMemory =
      gauge("pod_memory_working_set_bytes", "Current working set of the pod in bytes", OF_POD);

  /// @param complete whether the runtime could be asked
  ResourceMetrics(NodeUsage machine, boolean complete) {
    counter("node_cpu_usage_seconds", "Cumulative cpu time consumed by the node in core-seconds")
        .inc(machine.cpu().toNanos() / NANOS);
    gauge("node_memory_working_set_bytes", "Current working set of the node in bytes")
        .set(machine.memory());
    gauge(
            "resource_scrape_error",
            "1 if there was an error while getting container metrics, 0 otherwise")
        .set(complete ? 0 : 1);
  }

  void started(Pod pod, ContainerInfo run) {
    start
        .labelValues(run.name(), pod.namespace(), pod.name())
        .set(run.startedAt().toEpochMilli() / 1e3);
  }

  void used(Pod pod, ContainerInfo run, ContainerUsage usage) {
    double seconds = usage.cpu().toNanos() / NANOS;
    cpu.labelValues(run.name(), pod.namespace(), pod.name()).inc(seconds);
    memory.labelValues(run.name(), pod.namespace(), pod.name()).set(usage.memory());
    podCpu.labelValues(pod.namespace(), pod.name()).inc(seconds);
    podMemory.labelValues(pod.namespace(), pod.name()).inc(usage.memory());
  }

  PrometheusRegistry registry() {
    return registry;
  }

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  private Gauge gauge(String name, String help, String... labels) {
    return Gauge.builder().name(name).help(help).labelNames(labels).register(registry);
  }
}
