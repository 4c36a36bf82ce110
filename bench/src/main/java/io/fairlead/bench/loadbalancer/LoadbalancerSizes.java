package io.fairlead.bench.loadbalancer;

import io.fairlead.bench.report.BenchArguments;
import java.util.List;

/// @param many Services that hold addresses; 0 measures no allocation
/// @param samples Services that are created one after the other
/// @param kills how often the owner of an address goes, in each way; 0 measures no failover
record LoadbalancerSizes(int many, int samples, int kills) {
  static final LoadbalancerSizes FULL = new LoadbalancerSizes(10_000, 300, 50);
  static final LoadbalancerSizes SMOKE = new LoadbalancerSizes(20, 5, 1);

  /// `[rounds [many [kills]]]`.
  static LoadbalancerSizes of(BenchArguments call) {
    LoadbalancerSizes usual = call.smoke() ? SMOKE : FULL;
    List<Integer> given = call.sizes();
    return new LoadbalancerSizes(
        given.isEmpty() ? usual.many() : given.getFirst(),
        usual.samples(),
        given.size() < 2 ? usual.kills() : given.get(1));
  }
}
