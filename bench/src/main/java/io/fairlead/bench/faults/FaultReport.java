package io.fairlead.bench.faults;

import io.fairlead.bench.faults.FaultScenario.FaultException;
import io.fairlead.bench.report.Report;
import java.util.Arrays;
import java.util.List;

/// Figures of one fault, and the limits they must keep.
final class FaultReport {
  private final Report report = new Report(System.out, List.of());
  private final String name;

  FaultReport(String name) {
    this.name = name;
  }

  void figure(String what, double value) {
    report.add(0, "fairlead", name, what, value);
  }

  /// Fails unless that holds.
  void must(boolean holds, String otherwise) throws FaultException {
    if (!holds) {
      throw new FaultException(name + ": " + otherwise);
    }
  }

  /// Median, 99th percentile and maximum of times, in milliseconds.
  void times(String what, List<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    if (sorted.length == 0) {
      return;
    }
    figure(what + "_p50_ms", sorted[sorted.length / 2] / 1e6);
    figure(what + "_p99_ms", sorted[(int) (sorted.length * 0.99)] / 1e6);
    figure(what + "_max_ms", sorted[sorted.length - 1] / 1e6);
  }
}
