package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.announce.Announcer;
import io.fairlead.proxy.conntrack.ConntrackWorker;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.monitoring.ProxyMetrics;
import io.fairlead.proxy.monitoring.ServiceHealthServer;
import java.util.Optional;
import java.util.function.Supplier;

/// What else a proxy does when the rules of a family follow a new plan. Runs on the family's
/// reconciler and only hands work on: nothing here may hold rules back.
final class SyncEffects implements FamilyReconciler.Listener {

  /// Who has to know, the same for all families.
  ///
  /// @param mode the one that traffic is carried in now
  record Receivers(
      Supplier<ProxyMode> mode,
      ProxyMetrics metrics,
      ConntrackWorker conntrack,
      ServiceHealthServer serviceHealth,
      FirstSyncAction firstRules,
      Optional<CheckpointWriter> checkpoint,
      SyncProgressReporter reporter,
      ProxyState state,
      Optional<Announcer> announcer) {}

  private final IpAddress.Family family;
  private final Receivers receivers;
  // Owned by the reconciler's thread.
  private final NoLocalEndpointsCounter gaps = new NoLocalEndpointsCounter();

  SyncEffects(IpAddress.Family family, Receivers receivers) {
    this.family = family;
    this.receivers = receivers;
  }

  @Override
  public void applied(PlanDiff change, String slices) {
    gaps.update(change);
    receivers.metrics.noLocalEndpoints(family, gaps.internal(), gaps.external());
    // In userspace mode conversations go to listeners, not to endpoints; its plane cleans up.
    if (receivers.mode.get() != ProxyMode.USERSPACE) {
      receivers.conntrack.changed(family, change);
    }
    receivers.serviceHealth.update(family, change);
    receivers.announcer.ifPresent(announcer -> announcer.rulesChanged(change));
    receivers.firstRules.tried(family, true);
    receivers.checkpoint.ifPresent(CheckpointWriter::rulesWritten);
    if (receivers.state.written(family, slices)) {
      receivers.reporter.reportNow();
    }
  }

  @Override
  public void failed() {
    receivers.firstRules.tried(family, false);
  }
}
