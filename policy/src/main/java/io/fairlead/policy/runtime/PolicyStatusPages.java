package io.fairlead.policy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.http.status.StatusHttpServer;
import io.fairlead.http.status.StatusPage;
import io.fairlead.http.status.StatusRequest;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PolicyPlan;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.policy.core.PolicySet;
import io.fairlead.policy.core.PolicyTable;
import io.fairlead.policy.nftables.KernelPolicyTable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// Serves health, metrics and what the node enforces. Counters are read from the kernel when they
/// are asked for, in the network namespace of the thread that made this.
final class PolicyStatusPages implements AutoCloseable {
  private final Map<IpAddress.Family, FamilySync> syncs;
  private final PolicyMetrics metrics;
  private final Supplier<Oracle> oracles;
  private final BooleanSupplier healthy;
  private final BooleanSupplier ready;
  private final PolicyDebugPages debug;
  private final DebugAccess access;
  private final Map<IpAddress.Family, KernelPolicyTable> counters =
      new EnumMap<>(IpAddress.Family.class);
  // Guarded by the counters.
  private final DropTotals totals = new DropTotals();
  private final List<StatusHttpServer> servers = new ArrayList<>();

  /// @param syncs filled before the first request
  PolicyStatusPages(
      PolicyOptions options,
      Map<IpAddress.Family, FamilySync> syncs,
      PolicyMetrics metrics,
      Supplier<Oracle> oracles,
      BooleanSupplier healthy,
      BooleanSupplier ready,
      PolicyDebugPages debug,
      DebugAccess access) {
    this.debug = debug;
    this.access = access;
    this.syncs = syncs;
    this.metrics = metrics;
    this.oracles = oracles;
    this.healthy = healthy;
    this.ready = ready;
    for (IpAddress.Family family : IpAddress.Family.values()) {
      counters.put(family, KernelPolicyTable.open(family, options.table(List.of())));
    }
  }

  /// Begins to serve where the options say; health on an address of its own where they name one.
  void start(PolicyOptions options) throws IOException {
    if (options.status().isPresent()) {
      servers.add(new StatusHttpServer(options.status().get(), this::page));
    }
    if (options.health().isPresent() && !options.health().equals(options.status())) {
      servers.add(new StatusHttpServer(options.health().get(), this::health));
    }
  }

  /// Where it serves first; empty when nowhere.
  Optional<InetSocketAddress> address() {
    return servers.stream().findFirst().map(StatusHttpServer::address);
  }

  /// `/healthz` and `/livez`: does it work; `/readyz`: is the first plan in the kernel, and does
  /// the kernel follow.
  private StatusPage health(StatusRequest request) {
    return switch (request.path()) {
      case "/healthz", "/livez" -> verdict(healthy.getAsBoolean());
      case "/readyz" -> verdict(ready.getAsBoolean() && healthy.getAsBoolean());
      default -> StatusPage.notFound();
    };
  }

  private StatusPage page(StatusRequest request) {
    return switch (request.path()) {
      case "/metrics" -> StatusPage.of(200, "text/plain; version=0.0.4; charset=utf-8", scrape());
      case "/debug/policy" -> guarded(request, () -> debug.policy(installed()));
      case "/debug/drops" -> guarded(request, debug::drops);
      default -> health(request);
    };
  }

  private StatusPage guarded(StatusRequest request, Supplier<JsonNode> page) {
    return access.allows(request.token(), request.path())
        ? StatusPage.of(200, "application/json", page.get().toPrettyString() + "\n")
        : StatusPage.text(
            403, "needs a token of a user who may get " + request.path() + " from the API\n");
  }

  private Map<IpAddress.Family, PolicyPlan> installed() {
    synchronized (counters) {
      Map<IpAddress.Family, PolicyPlan> plans = new EnumMap<>(IpAddress.Family.class);
      counters.forEach((family, table) -> plans.put(family, table.installed(family)));
      return plans;
    }
  }

  private static StatusPage verdict(boolean good) {
    return good ? StatusPage.text(200, "ok") : StatusPage.text(503, "not in force\n");
  }

  private String scrape() {
    synchronized (counters) {
      Map<IpAddress.Family, PolicyTable.Counters> counted = new EnumMap<>(IpAddress.Family.class);
      counters.forEach((family, table) -> counted.put(family, table.counters()));
      Oracle oracle = oracles.get();
      totals.look(counted, address -> oracle.pod(address).map(PolicyPod::namespace));
      metrics.unknown(totals.unknown());
      metrics.spoofed(totals.spoofed());
      totals
          .drops()
          .forEach((series, count) -> metrics.drops(series.namespace(), series.direction(), count));
    }
    plans();
    return metrics.text();
  }

  private void plans() {
    for (PolicySet set : PolicySet.values()) {
      metrics.elements(set, sum(set));
    }
    metrics.isolated(Direction.EGRESS, sum(PolicySet.EGRESS_DROPS));
    metrics.isolated(Direction.INGRESS, sum(PolicySet.INGRESS_DROPS));
    int classes = 0;
    int grants = 0;
    for (FamilySync sync : syncs.values()) {
      FamilySync.Shown shown = sync.shown();
      classes += shown == null ? 0 : shown.classes();
      grants += shown == null ? 0 : shown.grants();
    }
    metrics.plan(classes, grants);
  }

  private int sum(PolicySet set) {
    int sum = 0;
    for (FamilySync sync : syncs.values()) {
      FamilySync.Shown shown = sync.shown();
      sum += shown == null ? 0 : shown.sizes().getOrDefault(set, 0);
    }
    return sum;
  }

  @Override
  public void close() {
    servers.forEach(StatusHttpServer::close);
    servers.clear();
    synchronized (counters) {
      counters.values().forEach(KernelPolicyTable::close);
      counters.clear();
    }
  }
}
