package io.fairlead.dns.kubernetes;

import io.fairlead.dns.kubernetes.data.ClusterData;
import io.fairlead.dns.kubernetes.data.DataObserver;
import io.fairlead.dns.metrics.Metrics;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/// What is measured of following the cluster.
final class KubernetesMetrics implements DataObserver {
  private final Metrics metrics;
  private final Histogram programming;
  private final AtomicReference<ClusterData> newest;

  /// @param newest the data that is shown; the same for the whole process
  KubernetesMetrics(Metrics metrics, AtomicReference<ClusterData> newest) {
    this.metrics = metrics;
    this.newest = newest;
    this.programming =
        metrics.histogram(
            "coredns_kubernetes_dns_programming_duration_seconds",
            "Time from the change of a Service or its endpoints until it is answered.",
            Metrics.exponential(0.001, 2, 20),
            "service_kind");
  }

  @Override
  public void programmed(boolean headless, long milliseconds) {
    programming
        .labelValues(headless ? "headless_with_selector" : "cluster_ip")
        .observe(milliseconds / 1000.0);
  }

  /// Shows the state of the newest data.
  void watch(ClusterData data) {
    newest.set(data);
    gauge(
        "fairlead_dns_cluster_data_age_seconds",
        "Time since the API server was last heard of.",
        now -> now.age() / (double) TimeUnit.SECONDS.toNanos(1));
    gauge(
        "fairlead_dns_cluster_connected",
        "1 while all watches of the API server are open.",
        now -> now.connected() ? 1 : 0);
    gauge(
        "fairlead_dns_cluster_synced",
        "1 when the whole cluster has been seen once.",
        now -> now.synced() ? 1 : 0);
    gauge(
        "fairlead_dns_ignored_slices",
        "EndpointSlices left out because they hold names instead of addresses.",
        ClusterData::ignoredSlices);
    gauge(
        "fairlead_dns_oversized_services",
        "Services of which no message can carry all records of one name.",
        ClusterData::oversized);
  }

  private interface Reading {
    double of(ClusterData data);
  }

  private void gauge(String name, String help, Reading reading) {
    metrics.find(
        GaugeWithCallback.class,
        name,
        each ->
            GaugeWithCallback.builder()
                .name(each)
                .help(help)
                .callback(
                    callback -> {
                      ClusterData now = newest.get();
                      if (now != null) {
                        callback.call(reading.of(now));
                      }
                    })
                .register(metrics.registry()));
  }
}
