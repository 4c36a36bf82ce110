package io.fairlead.bench.all;

import io.fairlead.bench.api.ApiBench;
import io.fairlead.bench.chain.ChainBench;
import io.fairlead.bench.dataplane.DataplaneBench;
import io.fairlead.bench.dns.DnsBench;
import io.fairlead.bench.endpoints.EndpointsBench;
import io.fairlead.bench.sync.SyncBench;
import java.util.List;

/// One part of the whole run, short enough to be repeated alone when it was disturbed.
///
/// @param name how it is called for, and the name of its file of figures
/// @param benchmark the class it runs
/// @param words its arguments
record BenchPart(String name, Class<?> benchmark, List<String> words) {
  static final List<BenchPart> ALL =
      List.of(
          new BenchPart("sync-100", SyncBench.class, List.of("originals", "nftables", "2", "100")),
          new BenchPart(
              "sync-1000-iptables", SyncBench.class, List.of("originals", "iptables", "1", "1000")),
          new BenchPart(
              "sync-10000", SyncBench.class, List.of("originals", "nftables", "1", "10000")),
          new BenchPart("dataplane", DataplaneBench.class, List.of("3", "10", "10000")),
          new BenchPart("api", ApiBench.class, List.of("--compare", "1")),
          new BenchPart("api-again", ApiBench.class, List.of("--compare", "1")),
          new BenchPart("endpoints", EndpointsBench.class, List.of("--compare", "1")),
          new BenchPart("dns-cluster", DnsBench.class, List.of("--cluster", "3")),
          new BenchPart("dns-plugins", DnsBench.class, List.of("--plugins", "3")),
          new BenchPart("chain", ChainBench.class, List.of("--compare", "1")));
}
