package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.monitoring.ProxyHealth;
import io.fairlead.proxy.monitoring.ProxyMetrics;
import io.fairlead.proxy.tracking.Planner;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/// Makes planners and reconcilers as the configuration says. Immutable.
record ReconcilerFactory(
    ProxyConfiguration configuration,
    ProxyDependencies dependencies,
    ProxyHealth health,
    ProxyMetrics metrics,
    SyncRecorder recorder) {
  private static final Duration LONGEST = Duration.ofHours(1);

  /// A planner for each family that has a data plane.
  Map<IpAddress.Family, Planner> planners(Function<IpAddress.Family, NodeFacts> facts) {
    Map<IpAddress.Family, Planner> planners = new EnumMap<>(IpAddress.Family.class);
    for (IpAddress.Family family : dependencies.planes().keySet()) {
      planners.put(family, new Planner(facts.apply(family), dependencies.clock().instant()));
    }
    return planners;
  }

  /// The reconciler of a planner's family, not started yet.
  FamilyReconciler reconciler(Planner planner, FamilyReconciler.Listener listener) {
    NodeFacts facts = planner.node();
    ProxyMode mode = dependencies.mode();
    return new FamilyReconciler(
        dependencies.plane(facts.family()),
        mode,
        Plan.empty(facts),
        SyncSchedule.of(
            configuration.time(mode, "minSyncPeriod"),
            configuration.time(mode, "syncPeriod"),
            longest(mode)),
        new FamilyReconciler.Dependencies(
            planner,
            health,
            metrics,
            dependencies.clock(),
            dependencies.pacing().ticker(),
            recorder,
            this::longest,
            listener));
  }

  /// How long a mode goes without reading the kernel back: the kernel reports no changes of sets
  /// and virtual servers.
  private Duration longest(ProxyMode mode) {
    return mode == ProxyMode.IPVS ? configuration.time(mode, "syncPeriod") : LONGEST;
  }
}
