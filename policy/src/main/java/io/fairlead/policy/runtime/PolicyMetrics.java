package io.fairlead.policy.runtime;

import io.fairlead.http.status.LoopMetrics;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.PolicySet;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/// The numbers of the policy component. No label has the name of a pod.
final class PolicyMetrics {
  private static final String PREFIX = "fairlead_policy_";
  private static final double[] DOUBLING =
      IntStream.range(0, 16).mapToDouble(i -> 0.0001 * (1 << i)).toArray();

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Gauge isolated = gauge("pods", "Isolated local pods", "direction");
  private final Gauge policies = gauge("policies", "NetworkPolicies of the cluster");
  private final Gauge classes = gauge("classes", "Classes of addresses");
  private final Gauge grants = gauge("grants", "Lists of ports");
  private final Gauge elements = gauge("elements", "Elements in the kernel", "set");
  private final Gauge gate = gauge("gate", "1 when unknown pods are closed");
  // Counted by the kernel; the values of the last look.
  private final Map<List<String>, Long> drops = new ConcurrentHashMap<>();
  private final AtomicLong unknownDrops = new AtomicLong();
  private final AtomicLong spoofedDrops = new AtomicLong();
  private final Counter cut =
      counter("cut_connections_total", "Connections ended because they are denied now");
  private final Counter sweeps = counter("sweeps_total", "Passes over all connections");
  private final Counter repairs = counter("repairs_total", "Foreign changes undone");
  private final Counter lost =
      counter("lost_log_messages_total", "Denied packets not read in time");
  private final Counter errors = counter("kernel_errors_total", "Refused transactions", "errno");
  private final Histogram syncs = histogram("sync_duration_seconds", "Time to write a change");
  private final Histogram sweepTimes =
      histogram("sweep_duration_seconds", "Time of a pass over all connections");
  private final Histogram follows =
      histogram(
          "event_to_kernel_seconds",
          "Time from the first event of a change to the kernel's acknowledgement");

  PolicyMetrics() {
    registry.register(new LoopMetrics());
    CounterWithCallback.builder()
        .name(PREFIX + "drops_total")
        .help("Packets dropped, by namespace")
        .labelNames("namespace", "direction")
        .callback(
            each ->
                drops.forEach((labels, value) -> each.call(value, labels.toArray(String[]::new))))
        .register(registry);
    counted("unknown_drops_total", "Packets of unknown pods", unknownDrops);
    counted("spoofed_drops_total", "Packets from where their source is not", spoofedDrops);
  }

  private void counted(String name, String help, AtomicLong value) {
    CounterWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .callback(each -> each.call(value.get()))
        .register(registry);
  }

  private Gauge gauge(String name, String help, String... labels) {
    return Gauge.builder().name(PREFIX + name).help(help).labelNames(labels).register(registry);
  }

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder().name(PREFIX + name).help(help).labelNames(labels).register(registry);
  }

  private Histogram histogram(String name, String help) {
    return Histogram.builder()
        .name(PREFIX + name)
        .help(help)
        .classicOnly()
        .classicUpperBounds(DOUBLING)
        .register(registry);
  }

  void synced(Duration took) {
    syncs.observe(took.toNanos() / 1e9);
  }

  void followed(Duration took) {
    follows.observe(took.toNanos() / 1e9);
  }

  void kernelError(String errno) {
    errors.labelValues(errno).inc();
  }

  void repaired() {
    repairs.inc();
  }

  void swept(int connections, Duration took) {
    sweeps.inc();
    sweepTimes.observe(took.toNanos() / 1e9);
    cut.inc(connections);
  }

  void lostMessages() {
    lost.inc();
  }

  double cutConnections() {
    return cut.get();
  }

  void gate(boolean on) {
    gate.set(on ? 1 : 0);
  }

  void policies(int count) {
    policies.set(count);
  }

  void plan(int classCount, int grantCount) {
    classes.set(classCount);
    grants.set(grantCount);
  }

  void elements(PolicySet set, int count) {
    elements.labelValues(set.setName()).set(count);
  }

  void isolated(Direction direction, int count) {
    isolated.labelValues(direction.toString()).set(count);
  }

  void drops(String namespace, Direction direction, long packets) {
    drops.put(List.of(namespace, direction.toString()), packets);
  }

  void unknown(long packets) {
    unknownDrops.set(packets);
  }

  void spoofed(long packets) {
    spoofedDrops.set(packets);
  }

  String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
