package io.fairlead.controller;

import io.fairlead.controller.endpointslice.EndpointSliceOptions;
import io.fairlead.controller.mirroring.MirroringController;
import java.time.Duration;

/// How the endpoint controllers work; the flags of kube-controller-manager.
///
/// @param endpointSyncs `concurrent-endpoint-syncs`
/// @param endpointBatchPeriod `endpoint-updates-batch-period`
/// @param mirroring `mirroring-concurrent-service-endpoint-syncs`,
///   `mirroring-max-endpoints-per-subset` and `mirroring-endpointslice-updates-batch-period`
/// @param slices `concurrent-service-endpoint-syncs`, `max-endpoints-per-slice` and
///   `endpointslice-updates-batch-period`
public record EndpointOptions(
    int endpointSyncs,
    Duration endpointBatchPeriod,
    MirroringController.Settings mirroring,
    EndpointSliceOptions slices) {
  /// Long enough to merge what a roll-out causes, short enough not to be noticed; the first change
  /// after a quiet time does not wait at all.
  private static final Duration BATCH_PERIOD = Duration.ofMillis(250);

  public static final EndpointOptions STANDARD =
      new EndpointOptions(
          5,
          BATCH_PERIOD,
          new MirroringController.Settings(5, 1000, BATCH_PERIOD),
          EndpointSliceOptions.STANDARD);
}
