package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.bgp.BgpSessionState;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The numbers of an announcer.
final class AnnounceCounters {
  private final Counter requests;
  private final Counter answers;
  private final Counter gratuitous;
  private final Counter takeovers;
  private final Counter conflicts;
  private final Histogram renewals;

  AnnounceCounters(PrometheusRegistry registry) {
    this.requests =
        counter("requests", "Requests for addresses of this node", "family").register(registry);
    this.answers = counter("answers", "Answers to them", "family").register(registry);
    this.gratuitous =
        counter("gratuitous", "Announcements that nothing asked for").register(registry);
    this.takeovers =
        counter("takeovers", "Addresses that this node took", "reason").register(registry);
    this.conflicts =
        counter("conflicts", "Times another machine claimed an address").register(registry);
    this.renewals =
        Histogram.builder()
            .name("fairlead_announce_lease_renew_seconds")
            .help("Time to renew the Lease of this node")
            .classicOnly()
            .classicUpperBounds(0.005, 0.01, 0.05, 0.1, 0.5, 1)
            .register(registry);
  }

  private static Counter.Builder counter(String name, String help, String... labels) {
    return Counter.builder()
        .name("fairlead_announce_" + name + "_total")
        .help(help)
        .labelNames(labels);
  }

  /// Shows how many addresses this node answers for.
  static void showAddresses(PrometheusRegistry registry, LongSupplier held) {
    GaugeWithCallback.builder()
        .name("fairlead_announce_addresses")
        .help("Addresses that this node answers for")
        .callback(out -> out.call(held.getAsLong()))
        .register(registry);
  }

  /// Shows which routers hear this node.
  static void showSessions(
      PrometheusRegistry registry, Supplier<Map<String, BgpSessionState>> sessions) {
    GaugeWithCallback.builder()
        .name("fairlead_bgp_session_up")
        .help("Whether the BGP session with a router is established")
        .labelNames("peer")
        .callback(
            out -> sessions.get().forEach((peer, state) -> out.call(state.isUp() ? 1 : 0, peer)))
        .register(registry);
  }

  /// Shows how many addresses there are in each state: `sure`, `doubt` or `off`.
  static void showStates(PrometheusRegistry registry, Supplier<Map<String, Integer>> states) {
    GaugeWithCallback.builder()
        .name("fairlead_announce_state")
        .help("Addresses that this node has taken, by how sure it is of them")
        .labelNames("state")
        .callback(out -> states.get().forEach((state, count) -> out.call(count, state)))
        .register(registry);
  }

  void requested(IpAddress.Family family) {
    requests.labelValues(family.toString()).inc();
  }

  void answered(IpAddress.Family family) {
    answers.labelValues(family.toString()).inc();
  }

  void announced() {
    gratuitous.inc();
  }

  /// @param reason `first` or `failover`
  void took(String reason) {
    takeovers.labelValues(reason).inc();
  }

  void conflict() {
    conflicts.inc();
  }

  void renewed(long nanos) {
    renewals.observe(nanos / 1e9);
  }
}
