package io.fairlead.controller.endpointslice;

import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.ObjectKey;
import io.fairlead.controller.serving.Service;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/// What the slice controller counts, under the names of the original. Safe for any threads.
///
/// How full the slices are is kept for each family of a Service and summed for each scrape. Those
/// that only grow are gauges here because the original's names lack the ending that a counter must
/// have.
final class SliceMetrics {
  private static final String PREFIX = "endpoint_slice_controller_";
  private static final double[] SIZES = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096};

  /// How a sync ended.
  enum Result {
    SUCCESS("success"),
    STALE("stale"),
    ERROR("error");

    private final String label;

    Result(String label) {
      this.label = label;
    }
  }

  private record Place(ObjectKey service, Family family) {}

  /// @param least slices that its endpoints would need
  private record Filling(int endpoints, int slices, int least) {}

  private final Map<Place, Filling> fillings = new ConcurrentHashMap<>();
  private final Map<ObjectKey, String> distributions = new ConcurrentHashMap<>();
  private final Histogram added;
  private final Histogram removed;
  private final Histogram changed;
  private final Gauge changes;
  private final Gauge syncs;

  SliceMetrics(PrometheusRegistry registry) {
    added = histogram(registry, "endpoints_added_per_sync", "Endpoints added in a sync.");
    removed = histogram(registry, "endpoints_removed_per_sync", "Endpoints removed in a sync.");
    changed =
        histogram(
            registry,
            "endpointslices_changed_per_sync",
            "Slices written in a sync.",
            "topology",
            "traffic_distribution");
    changes = gauge(registry, "changes", "Slices written.", "operation");
    syncs = gauge(registry, "syncs", "Syncs of Services.", "result");
    sum(registry, "endpoints_desired", "Endpoints wanted.", Filling::endpoints);
    sum(registry, "num_endpoint_slices", "Slices there are.", Filling::slices);
    sum(registry, "desired_endpoint_slices", "Slices full ones would be.", Filling::least);
    GaugeWithCallback.builder()
        .name(PREFIX + "services_count_by_traffic_distribution")
        .help("Services by the traffic distribution they ask for.")
        .labelNames("traffic_distribution")
        .callback(
            callback -> {
              Map<String, Integer> counts = new TreeMap<>();
              distributions.values().forEach(value -> counts.merge(value, 1, Integer::sum));
              counts.forEach((value, count) -> callback.call(count, value));
            })
        .register(registry);
  }

  /// A family of a Service was planned; it has so many slices after the plan.
  ///
  /// @param most endpoints a slice may hold
  void planned(Service service, Family family, DesiredSliceEndpoints wanted, int slices, int most) {
    int endpoints = 0;
    int least = 0;
    for (DesiredSliceEndpoints.Group group : wanted.groups().values()) {
      endpoints += group.endpoints().size();
      least += (group.endpoints().size() + most - 1) / most;
    }
    fillings.put(
        new Place(service.key(), family), new Filling(endpoints, slices, Math.max(1, least)));
    distributions.put(service.key(), service.trafficDistribution());
  }

  /// A sync came to its end.
  void synced(Service service, SliceChanges made, Result result) {
    added.observe(made.added());
    removed.observe(made.removed());
    changed
        .labelValues(
            service.proportionalHints() ? "Auto" : "Disabled", service.trafficDistribution())
        .observe((double) made.creates() + made.updates() + made.deletes());
    changes.labelValues("create").inc(made.creates());
    changes.labelValues("update").inc(made.updates());
    changes.labelValues("delete").inc(made.deletes());
    syncs.labelValues(result.label).inc();
  }

  /// A sync could not begin: what was written last is not yet seen.
  void stale() {
    syncs.labelValues(Result.STALE.label).inc();
  }

  void forget(ObjectKey service) {
    distributions.remove(service);
    for (Family family : Family.values()) {
      fillings.remove(new Place(service, family));
    }
  }

  private void sum(
      PrometheusRegistry registry, String name, String help, ToIntFunction<Filling> value) {
    GaugeWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .callback(callback -> callback.call(fillings.values().stream().mapToInt(value).sum()))
        .register(registry);
  }

  private static Gauge gauge(PrometheusRegistry registry, String name, String help, String label) {
    return Gauge.builder().name(PREFIX + name).help(help).labelNames(label).register(registry);
  }

  private static Histogram histogram(
      PrometheusRegistry registry, String name, String help, String... labels) {
    return Histogram.builder()
        .name(PREFIX + name)
        .help(help)
        .classicOnly()
        .classicUpperBounds(SIZES)
        .labelNames(labels)
        .register(registry);
  }
}
