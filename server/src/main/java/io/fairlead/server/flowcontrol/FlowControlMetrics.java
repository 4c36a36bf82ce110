package io.fairlead.server.flowcontrol;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.ToIntFunction;

/// What priority levels and flow schemas do, under the names that dashboards for Kubernetes know.
/// What the dispatcher counts anyway is read when it is scraped.
public final class FlowControlMetrics {
  private static final String PREFIX = "apiserver_flowcontrol_";

  private final SeatDispatcher dispatcher;
  private final Histogram waits =
      Histogram.builder()
          .name(PREFIX + "request_wait_duration_seconds")
          .help("How long requests waited in their queues.")
          .labelNames("priority_level", "flow_schema", "execute")
          .classicOnly()
          .classicUpperBounds(0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30)
          .build();

  FlowControlMetrics(SeatDispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /// A request got its seat, or was given up, after it waited in a queue.
  void waited(Flow flow, boolean executed, long nanos) {
    waits
        .labelValues(flow.level().name(), flow.schema(), Boolean.toString(executed))
        .observe(nanos / 1e9);
  }

  public void register(PrometheusRegistry registry) {
    registry.register(waits);
    limit(registry, "nominal_limit_seats", "The level's part of the server.", SeatLimits::nominal);
    limit(registry, "lower_limit_seats", "What the level always has.", SeatLimits::lower);
    limit(registry, "upper_limit_seats", "What it has with what it borrows.", SeatLimits::upper);
    flows(registry, "current_executing_requests", "Requests being served.", FlowCounts::executing);
    flows(registry, "current_executing_seats", "Seats in use.", FlowCounts::executing);
    flows(registry, "current_inqueue_requests", "Requests that wait.", FlowCounts::waiting);
    CounterWithCallback.builder()
        .name(PREFIX + "dispatched_requests_total")
        .help("Requests that were served.")
        .labelNames("priority_level", "flow_schema")
        .callback(
            callback ->
                dispatcher
                    .flows()
                    .forEach(flow -> callback.call(flow.dispatched(), flow.level(), flow.schema())))
        .register(registry);
    CounterWithCallback.builder()
        .name(PREFIX + "rejected_requests_total")
        .help("Requests that were refused, by reason.")
        .labelNames("priority_level", "flow_schema", "reason")
        .callback(
            callback ->
                dispatcher
                    .flows()
                    .forEach(
                        flow ->
                            flow.refused()
                                .forEach(
                                    (why, count) ->
                                        callback.call(
                                            count, flow.level(), flow.schema(), why.reason()))))
        .register(registry);
  }

  private void limit(
      PrometheusRegistry registry, String name, String help, ToIntFunction<SeatLimits> value) {
    GaugeWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .labelNames("priority_level")
        .callback(
            callback ->
                dispatcher
                    .levels()
                    .forEach(
                        level ->
                            callback.call(value.applyAsInt(level.limits()), level.spec().name())))
        .register(registry);
  }

  private void flows(
      PrometheusRegistry registry, String name, String help, ToIntFunction<FlowCounts> value) {
    GaugeWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .labelNames("priority_level", "flow_schema")
        .callback(
            callback ->
                dispatcher
                    .flows()
                    .forEach(
                        flow -> callback.call(value.applyAsInt(flow), flow.level(), flow.schema())))
        .register(registry);
  }
}
