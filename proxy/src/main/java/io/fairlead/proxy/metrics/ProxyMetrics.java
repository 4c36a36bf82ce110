package io.fairlead.proxy.metrics;

import io.fairlead.api.net.IpAddress;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// The numbers of a proxy, under kube-proxy's names. A metric with labels appears with its first
/// use.
public final class ProxyMetrics {
  private static final String PREFIX = "kubeproxy_";
  private static final String FAMILY = "ip_family";
  private static final double[] DOUBLING =
      IntStream.range(0, 15).mapToDouble(i -> 0.001 * (1 << i)).toArray();
  private static final double[] PROGRAMMING =
      DoubleStream.concat(
              DoubleStream.concat(
                  DoubleStream.of(0.25, 0.5), IntStream.range(1, 60).asDoubleStream()),
              DoubleStream.concat(
                  IntStream.iterate(60, i -> i <= 115, i -> i + 5).asDoubleStream(),
                  IntStream.iterate(120, i -> i <= 300, i -> i + 30).asDoubleStream()))
          .toArray();

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Histogram syncs =
      histogram("sync_proxy_rules_duration_seconds", "Time to bring rules up to date", DOUBLING);
  private final Histogram fullSyncs =
      histogram("sync_full_proxy_rules_duration_seconds", "The same, looking at all", DOUBLING);
  private final Histogram partialSyncs =
      histogram("sync_partial_proxy_rules_duration_seconds", "The same, changes only", DOUBLING);
  private final Histogram programming =
      histogram(
          "network_programming_duration_seconds",
          "From a change in the cluster to rules on this node",
          PROGRAMMING);
  private final Gauge lastSync =
      gauge("sync_proxy_rules_last_timestamp_seconds", "When rules were last written", FAMILY);
  private final Gauge lastQueued =
      gauge("sync_proxy_rules_last_queued_timestamp_seconds", "When a change last arrived", FAMILY);
  private final Gauge endpointsPending =
      gauge("sync_proxy_rules_endpoint_changes_pending", "Slices not yet in rules");
  private final Counter endpointsTotal =
      counter("sync_proxy_rules_endpoint_changes_total", "Changes of slices");
  private final Gauge servicesPending =
      gauge("sync_proxy_rules_service_changes_pending", "Services not yet in rules");
  private final Counter servicesTotal =
      counter("sync_proxy_rules_service_changes_total", "Changes of Services");
  private final Gauge noLocalEndpoints =
      gauge(
          "sync_proxy_rules_no_local_endpoints_total",
          "Service ports that drop traffic for want of an endpoint on this node",
          "traffic_policy",
          FAMILY);
  private final Gauge rules =
      gauge("sync_proxy_rules_iptables_total", "Rules there are", "table", FAMILY);
  private final Gauge rulesWritten =
      gauge("sync_proxy_rules_iptables_last", "Rules written last", "table", FAMILY);
  private final Counter iptablesFailures =
      counter("sync_proxy_rules_iptables_restore_failures_total", "Refused rules", FAMILY);
  private final Counter iptablesPartialFailures =
      counter(
          "sync_proxy_rules_iptables_partial_restore_failures_total",
          "Refused changes of rules",
          FAMILY);
  private final Counter nftablesFailures =
      counter("sync_proxy_rules_nftables_sync_failures_total", "Refused transactions", FAMILY);
  private final Counter healthz = counter("proxy_healthz_total", "Answers of /healthz", "code");
  private final Counter livez = counter("proxy_livez_total", "Answers of /livez", "code");
  private final Histogram conntrackTime =
      histogram(
          "conntrack_reconciler_sync_duration_seconds",
          "Time to look for connections to endpoints that are gone",
          DOUBLING);
  private final Counter conntrackDeleted =
      counter(
          "conntrack_reconciler_deleted_entries_total", "Connections made to be forgotten", FAMILY);

  private Histogram histogram(String name, String help, double[] bounds) {
    return Histogram.builder()
        .name(PREFIX + name)
        .help(help)
        .labelNames(FAMILY)
        .classicOnly()
        .classicUpperBounds(bounds)
        .register(registry);
  }

  private Gauge gauge(String name, String help, String... labels) {
    return Gauge.builder().name(PREFIX + name).help(help).labelNames(labels).register(registry);
  }

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder().name(PREFIX + name).help(help).labelNames(labels).register(registry);
  }

  /// A sync worked.
  public void synced(IpAddress.Family family, boolean full, Duration took, Instant now) {
    syncs.labelValues(family.toString()).observe(seconds(took));
    (full ? fullSyncs : partialSyncs).labelValues(family.toString()).observe(seconds(took));
    lastSync.labelValues(family.toString()).set(now.toEpochMilli() / 1000.0);
  }

  /// A sync did not work.
  public void failed(IpAddress.Family family, String mode, boolean full) {
    if (mode.equals("nftables")) {
      nftablesFailures.labelValues(family.toString()).inc();
      return;
    }
    iptablesFailures.labelValues(family.toString()).inc();
    if (!full) {
      iptablesPartialFailures.labelValues(family.toString()).inc();
    }
  }

  public void queued(IpAddress.Family family, Instant now) {
    lastQueued.labelValues(family.toString()).set(now.toEpochMilli() / 1000.0);
  }

  /// A change of the cluster has reached the rules.
  public void programmed(IpAddress.Family family, Duration took) {
    programming.labelValues(family.toString()).observe(seconds(took));
  }

  public void serviceChanged() {
    servicesTotal.inc();
  }

  public void sliceChanged() {
    endpointsTotal.inc();
  }

  public void waiting(int services, int slices) {
    servicesPending.set(services);
    endpointsPending.set(slices);
  }

  public void noLocalEndpoints(IpAddress.Family family, int internal, int external) {
    noLocalEndpoints.labelValues("internal", family.toString()).set(internal);
    noLocalEndpoints.labelValues("external", family.toString()).set(external);
  }

  public void iptablesRules(IpAddress.Family family, String table, int all, int written) {
    rules.labelValues(table, family.toString()).set(all);
    rulesWritten.labelValues(table, family.toString()).set(written);
  }

  public void conntrack(IpAddress.Family family, Duration took, int deleted) {
    conntrackTime.labelValues(family.toString()).observe(seconds(took));
    conntrackDeleted.labelValues(family.toString()).inc(deleted);
  }

  /// Counts an answer of a health path.
  public void answered(String path, int status) {
    (path.equals("/livez") ? livez : healthz).labelValues(String.valueOf(status)).inc();
  }

  /// All numbers in the text format of Prometheus.
  public String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
