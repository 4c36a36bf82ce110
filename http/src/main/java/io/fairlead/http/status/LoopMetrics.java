package io.fairlead.http.status;

import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Instant;

/// How the background loops of this process are doing, one series for each kind of loop. Every
/// component registers it for its `/metrics`; components in one process show the same numbers.
/// Costs nothing between scrapes.
public final class LoopMetrics implements MultiCollector {
  private static final String LABEL = "loop";

  @Override
  public MetricSnapshots collect() {
    CounterSnapshot.Builder restarts =
        CounterSnapshot.builder()
            .name("fairlead_loop_restarts")
            .help("Steps of a background loop that failed and were tried again.");
    CounterSnapshot.Builder steps =
        CounterSnapshot.builder()
            .name("fairlead_loop_steps")
            .help("Steps of a background loop that ended without a failure.");
    GaugeSnapshot.Builder running =
        GaugeSnapshot.builder()
            .name("fairlead_loops_running")
            .help("Background loops of that kind that are started and not closed.");
    GaugeSnapshot.Builder failed =
        GaugeSnapshot.builder()
            .name("fairlead_loop_last_failure_timestamp_seconds")
            .help("When a background loop of that kind failed last; absent when none did.");
    for (LoopStatus loop : LoopRegistry.statuses()) {
      Labels labels = Labels.of(LABEL, loop.kind());
      restarts.dataPoint(counter(labels, loop.restarts()));
      steps.dataPoint(counter(labels, loop.steps()));
      running.dataPoint(gauge(labels, loop.running()));
      Instant last = loop.lastFailureAt();
      if (last != null) {
        failed.dataPoint(gauge(labels, last.toEpochMilli() / 1e3));
      }
    }
    return new MetricSnapshots(restarts.build(), steps.build(), running.build(), failed.build());
  }

  private static CounterSnapshot.CounterDataPointSnapshot counter(Labels labels, double value) {
    return CounterSnapshot.CounterDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  private static GaugeSnapshot.GaugeDataPointSnapshot gauge(Labels labels, double value) {
    return GaugeSnapshot.GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }
}
