package io.fairlead.bench.loadbalancer;

/// @param many Services that hold addresses
/// @param samples Services that are created one after the other
/// @param kills how often the owner of an address goes, in each way
record LoadbalancerSizes(int many, int samples, int kills) {
  static final LoadbalancerSizes FULL = new LoadbalancerSizes(10_000, 300, 50);
  static final LoadbalancerSizes SMOKE = new LoadbalancerSizes(20, 5, 1);
}
