package io.fairlead.dns.metrics;

import io.fairlead.http.status.LoopMetrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Metric;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// The metrics of one process. Several blocks, and the instances before and after a reload, share
/// them: a metric asked for twice is the same one. Safe for any thread.
public final class Metrics {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Map<String, Metric> known = new ConcurrentHashMap<>();

  public Metrics() {
    registry.register(new LoopMetrics());
  }

  /// Where `/metrics` is read from.
  public PrometheusRegistry registry() {
    return registry;
  }

  /// @param name with or without `_total`
  public Counter counter(String name, String help, String... labels) {
    return find(
        Counter.class,
        name,
        each -> Counter.builder().name(each).help(help).labelNames(labels).register(registry));
  }

  public Gauge gauge(String name, String help, String... labels) {
    return find(
        Gauge.class,
        name,
        each -> Gauge.builder().name(each).help(help).labelNames(labels).register(registry));
  }

  /// @param bounds upper bounds of the buckets
  public Histogram histogram(String name, String help, double[] bounds, String... labels) {
    return find(
        Histogram.class,
        name,
        each ->
            Histogram.builder()
                .name(each)
                .help(help)
                .classicOnly()
                .classicUpperBounds(bounds)
                .labelNames(labels)
                .register(registry));
  }

  /// Registers a metric of another sort under its name unless it is there.
  public <T extends Metric> T find(Class<T> type, String name, Function<String, T> make) {
    return type.cast(known.computeIfAbsent(name, make));
  }

  /// `first`, `first * factor`, … so many.
  public static double[] exponential(double first, double factor, int count) {
    double[] bounds = new double[count];
    double bound = first;
    for (int i = 0; i < count; i++) {
      bounds[i] = bound;
      bound *= factor;
    }
    return bounds;
  }
}
