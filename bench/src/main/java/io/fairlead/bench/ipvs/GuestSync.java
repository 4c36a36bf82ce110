package io.fairlead.bench.ipvs;

import io.fairlead.bench.report.Report;
import io.fairlead.bench.testbed.FakeApiCluster;
import io.fairlead.bench.testbed.InProcessProxy;
import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.ProxyMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/// From a write to the API to the first connection that follows it, with a whole proxy and an API
/// in memory, in the ipvs mode and as a ratio to the iptables mode beside it. Each has an API and
/// namespaces of its own, so that neither works while the other is measured.
final class GuestSync {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final double MILLIS = 1e6;
  private static final int MANY = 5;
  private static final int FEW = 1;

  private final Report report;

  GuestSync(Report report) {
    this.report = report;
  }

  /// A mode that follows its own API.
  private record Member(
      String mode, FakeApiCluster cluster, NetworkTestbed site, InProcessProxy proxy)
      implements AutoCloseable {
    @Override
    public void close() {
      proxy.close();
      site.close();
      cluster.close();
    }
  }

  void run(int rounds, List<Integer> sizes) throws InterruptedException {
    for (int size : sizes) {
      GuestBench.progress("from the API on, " + size + " services");
      try (Member ipvs = member(ProxyMode.IPVS, size, GuestPlane::ipvs);
          Member iptables = member(ProxyMode.IPTABLES, size, GuestPlane::iptables)) {
        // Round 0 is the cold one: in no median.
        for (int round = 0; round <= rounds; round++) {
          double mine = come(round, ipvs, size);
          double theirs = come(round, iptables, size);
          if (round > 0) {
            report.add(
                round,
                ProxyMode.IPVS.toString(),
                "api-first-packet-" + size + "-over-iptables",
                "ratio",
                mine / theirs);
          }
        }
      }
    }
  }

  private Member member(ProxyMode mode, int size, Function<NetworkNamespace, DataPlane> opening)
      throws InterruptedException {
    FakeApiCluster cluster = new FakeApiCluster(size);
    NetworkTestbed site = NetworkTestbed.patient(mode.toString().substring(0, 3) + size);
    long start = System.nanoTime();
    InProcessProxy proxy = new InProcessProxy(mode, cluster, opening.apply(site.node()));
    long answered = site.awaitTaken(FakeApiCluster.LAST, LIMIT);
    report.add(1, mode.toString(), "api-start-" + size, "ms", (answered - start) / MILLIS);
    return new Member(mode.toString(), cluster, site, proxy);
  }

  /// From no endpoint to three: until the first connection, the median of some.
  private double come(int round, Member member, int size) {
    double[] times = new double[size > 1_000 ? FEW : MANY];
    for (int i = 0; i < times.length; i++) {
      // Before "ready" is timed, "gone" must have been seen.
      member.cluster.endpoints("last", 0);
      member.site.awaitRefused(FakeApiCluster.LAST, LIMIT);
      long begin = System.nanoTime();
      member.cluster.endpoints("last", 3);
      times[i] = (member.site.awaitTaken(FakeApiCluster.LAST, LIMIT) - begin) / MILLIS;
    }
    Arrays.sort(times);
    double median = times[times.length / 2];
    if (round > 0) {
      report.add(round, member.mode, "api-first-packet-" + size, "ms", median);
    }
    return median;
  }
}
