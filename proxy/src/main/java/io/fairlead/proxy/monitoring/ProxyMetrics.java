package io.fairlead.proxy.monitoring;

import io.fairlead.api.net.IpAddress;
import io.fairlead.http.status.LoopMetrics;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
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
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
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

  private volatile Supplier<Map<String, Long>> packetCounters = Map::of;

  /// Where further parts of the proxy's process register theirs.
  public PrometheusRegistry registry() {
    return registry;
  }

  public ProxyMetrics() {
    registry.register(new LoopMetrics());
    packets(
        "iptables_ct_state_invalid_dropped_packets_total",
        "Packets dropped because conntrack calls them invalid",
        IptablesSettings.INVALID_COUNTER);
    packets(
        "iptables_localhost_nodeports_accepted_packets_total",
        "Packets to node ports accepted on the loopback interface",
        IptablesSettings.LOCALHOST_COUNTER);
  }

  /// A metric read from a named counter of the kernel. It has no value where the kernel has no such
  /// counter.
  private void packets(String name, String help, String counter) {
    CounterWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .callback(
            value -> {
              Long packets = packetCounters.get().get(counter);
              if (packets != null) {
                value.call(packets);
              }
            })
        .register(registry);
  }

  /// Sets where each scrape reads the kernel's named counters.
  ///
  /// @param source packets by the counter's name; empty in modes without such counters
  public void packetCounters(Supplier<Map<String, Long>> source) {
    packetCounters = source;
  }

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

  /// The rules of a family follow a new plan.
  ///
  /// @param triggers when the changes in it happened in the cluster
  public void written(
      IpAddress.Family family,
      ApplyResult applied,
      List<Instant> triggers,
      Duration took,
      Instant now) {
    synced(family, applied.full(), took, now);
    triggers.forEach(trigger -> programmed(family, Duration.between(trigger, now)));
    for (String table : applied.sizes().keySet()) {
      if (!table.endsWith(".last")) {
        iptablesRules(
            family,
            table,
            applied.sizes().getOrDefault(table, 0),
            applied.sizes().getOrDefault(table + ".last", 0));
      }
    }
  }

  /// A sync worked.
  private void synced(IpAddress.Family family, boolean full, Duration took, Instant now) {
    syncs.labelValues(family.toString()).observe(seconds(took));
    (full ? fullSyncs : partialSyncs).labelValues(family.toString()).observe(seconds(took));
    lastSync.labelValues(family.toString()).set(now.toEpochMilli() / 1000.0);
  }

  /// A sync did not work.
  public void failed(IpAddress.Family family, ProxyMode mode, boolean full) {
    if (mode == ProxyMode.NFTABLES) {
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
  private void programmed(IpAddress.Family family, Duration took) {
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

  private void iptablesRules(IpAddress.Family family, String table, int all, int written) {
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
