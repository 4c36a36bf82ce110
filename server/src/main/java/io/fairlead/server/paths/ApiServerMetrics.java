package io.fairlead.server.paths;

import io.fairlead.http.status.LoopMetrics;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.resource.ResourceDescriptor;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/// What the server counts, under the names that dashboards for Kubernetes know.
public final class ApiServerMetrics {
  private static final Set<String> VERBS = Set.copyOf(ResourceDescriptor.ALL_VERBS);

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter requests;
  private final Histogram durations;

  public ApiServerMetrics() {
    registry.register(new LoopMetrics());
    requests =
        Counter.builder()
            .name("apiserver_request_total")
            .help("Requests by verb, resource and HTTP code.")
            .labelNames(
                "verb", "group", "version", "resource", "subresource", "scope", "code", "dry_run")
            .register(registry);
    durations =
        Histogram.builder()
            .name("apiserver_request_duration_seconds")
            .help("How long requests took, watches aside.")
            .labelNames("verb", "group", "version", "resource", "subresource", "scope")
            .classicOnly()
            .classicUpperBounds(
                0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
            .register(registry);
  }

  public PrometheusRegistry registry() {
    return registry;
  }

  /// Adds a number that is read when metrics are scraped.
  public void gauge(String name, String help, LongSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.getAsLong()))
        .register(registry);
  }

  /// Adds the numbers of requests in work, by kind.
  public void inFlight(IntSupplier reading, IntSupplier writing) {
    GaugeWithCallback.builder()
        .name("apiserver_current_inflight_requests")
        .help("Requests being worked on, watches aside.")
        .labelNames("request_kind")
        .callback(
            callback -> {
              callback.call(reading.getAsInt(), "readOnly");
              callback.call(writing.getAsInt(), "mutating");
            })
        .register(registry);
  }

  /// Notes the end of a request. Methods that are none and resources that are not served share one
  /// label, so that no client can make up endless ones (CVE-2020-8552).
  ///
  /// @param known whether the path led to a resource and subresource that are served
  public void answered(RequestInfo info, boolean known, int code, boolean dryRun, long nanos) {
    String verb =
        info.isResource() && VERBS.contains(info.verb())
            ? info.verb().toUpperCase(java.util.Locale.ROOT)
            : "OTHER";
    String group = known ? info.group() : "";
    String version = known ? info.version() : "";
    String resource = known ? info.resource() : "";
    String subresource = known ? info.subresource() : "";
    String scope = scope(info);
    requests
        .labelValues(
            verb,
            group,
            version,
            resource,
            subresource,
            scope,
            Integer.toString(code),
            dryRun ? "All" : "")
        .inc();
    if (!verb.equals("WATCH")) {
      durations
          .labelValues(verb, group, version, resource, subresource, scope)
          .observe(nanos / 1e9);
    }
  }

  private static String scope(RequestInfo info) {
    if (!info.isResource()) {
      return "";
    }
    if (!info.name().isEmpty()) {
      return "resource";
    }
    return info.namespaced() ? "namespace" : "cluster";
  }
}
