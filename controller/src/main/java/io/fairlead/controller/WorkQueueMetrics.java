package io.fairlead.controller;

import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerLoop.Statistics;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// What all controllers have in common, under the names that dashboards for Kubernetes know.
final class WorkQueueMetrics {
  private WorkQueueMetrics() {}

  static void register(List<Controller> controllers, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("workqueue_depth")
        .help("Keys that wait for a worker.")
        .labelNames("name")
        .callback(
            callback ->
                controllers.forEach(
                    controller -> {
                      Statistics now = controller.loop().statistics();
                      callback.call(now.depth(), now.name());
                    }))
        .register(registry);
    counter(
        controllers,
        registry,
        "workqueue_work_total",
        "Keys worked on, failed ones included.",
        Statistics::runs);
    counter(
        controllers,
        registry,
        "workqueue_retries_total",
        "Keys whose work ended in an error.",
        Statistics::failures);
    counter(
        controllers,
        registry,
        "workqueue_work_duration_seconds_total",
        "Time spent on keys.",
        Statistics::seconds);
    counter(
        controllers,
        registry,
        "workqueue_hot_keys_total",
        "Times a key was held back because it was queued again too quickly.",
        Statistics::heldBack);
  }

  private static void counter(
      List<Controller> controllers,
      PrometheusRegistry registry,
      String name,
      String help,
      ToDoubleFunction<Statistics> value) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames("name")
        .callback(
            callback ->
                controllers.forEach(
                    controller -> {
                      Statistics now = controller.loop().statistics();
                      callback.call(value.applyAsDouble(now), now.name());
                    }))
        .register(registry);
  }
}
