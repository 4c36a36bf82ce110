package io.fairlead.controller.loadbalancer;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// What is known about addresses, for `/metrics`.
final class LoadBalancerMetrics {
  private LoadBalancerMetrics() {}

  static void register(BalancerAddressTable table, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("fairlead_lb_addresses")
        .help("Load balancer addresses of each pool: free, held, or resting after their release.")
        .labelNames("pool", "state")
        .callback(
            callback ->
                table
                    .statistics()
                    .counts()
                    .forEach(
                        (pool, counts) -> {
                          callback.call(counts[0], pool, "free");
                          callback.call(counts[1], pool, "held");
                          callback.call(counts[2], pool, "resting");
                        }))
        .register(registry);
    GaugeWithCallback.builder()
        .name("fairlead_lb_pending_services")
        .help("Services that wait for a load balancer address.")
        .callback(callback -> callback.call(table.statistics().pending()))
        .register(registry);
    CounterWithCallback.builder()
        .name("fairlead_lb_allocations_total")
        .help("Load balancer addresses given out.")
        .callback(callback -> callback.call(table.statistics().allocations()))
        .register(registry);
  }
}
