package io.fairlead.bench.sync;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.bench.testbed.FakeApiCluster;
import io.fairlead.bench.testbed.KubeProxy;
import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Our proxy and kube-proxy as processes, one after the other, each on a site of its own and fed by
/// the same API over HTTP: from the launch to the last Service's answer, from a change in the API
/// to the first connection that follows it, processor time of a change with that of the tools a
/// proxy calls, and memory.
///
/// @param kubeProxy the original's program; without it ours is measured alone
/// @param samples changes of each kind in a round
record ProxyComparison(Report report, Optional<Path> kubeProxy, int samples, Duration rest) {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int CHANGES_OF_A_SAMPLE = 4;
  private static final double MILLIS = 1e6;
  private static final int MANY = 2_000;

  void round(int round, ProxyMode mode, int size, FakeApiCluster cluster) throws Exception {
    for (boolean ours : kubeProxy.isPresent() ? List.of(true, false) : List.of(true)) {
      String prefix = "flo" + ProcessHandle.current().pid() + (ours ? "f" : "k") + round;
      try (NetworkTestbed site = new NetworkTestbed(prefix)) {
        // Also when the run is interrupted; closing twice is fine.
        Tasks.atExit("clean-up", site::close);
        long launched = System.nanoTime();
        if (ours) {
          try (FairleadProxyProcess proxy = new FairleadProxyProcess(cluster, site, mode)) {
            measure(
                round, "fairlead-" + mode, size, launched, cluster, site, proxy.process().pid());
          }
        } else {
          String path =
              mode == ProxyMode.IPTABLES && size >= MANY
                  ? KubeProxy.legacyPath()
                  : System.getenv("PATH");
          try (KubeProxy proxy =
              new KubeProxy(kubeProxy.orElseThrow(), mode, site, cluster, path)) {
            measure(
                round, "kube-proxy-" + mode, size, launched, cluster, site, proxy.process().pid());
          }
        }
      }
    }
  }

  private void measure(
      int round,
      String who,
      int size,
      long launched,
      FakeApiCluster cluster,
      NetworkTestbed site,
      long pid)
      throws IOException {
    long answered = site.awaitTaken(FakeApiCluster.LAST, LIMIT);
    report.add(round, who, "launch-" + size, "ms", (answered - launched) / MILLIS);
    // Both wait for more changes before they write again; so they are given time between changes.
    LockSupport.parkNanos(rest.toNanos() * 3);
    double before = Processes.processorSecondsWithChildren(pid);
    double[] fresh = new double[samples];
    double[] gone = new double[samples];
    double[] ready = new double[samples];
    for (int i = 0; i < samples; i++) {
      long begin = System.nanoTime();
      cluster.add("fresh", FakeApiCluster.FRESH);
      fresh[i] = (site.awaitTaken(FakeApiCluster.FRESH, LIMIT) - begin) / MILLIS;
      LockSupport.parkNanos(rest.toNanos());
      // Before "ready" is timed, "gone" must have been seen.
      begin = System.nanoTime();
      cluster.endpoints("fresh", 0);
      gone[i] = (site.awaitRefused(FakeApiCluster.FRESH, LIMIT) - begin) / MILLIS;
      LockSupport.parkNanos(rest.toNanos());
      begin = System.nanoTime();
      cluster.endpoints("fresh", 3);
      ready[i] = (site.awaitTaken(FakeApiCluster.FRESH, LIMIT) - begin) / MILLIS;
      LockSupport.parkNanos(rest.toNanos());
      cluster.remove("fresh");
      site.awaitGone(FakeApiCluster.FRESH, LIMIT);
      LockSupport.parkNanos(rest.toNanos());
    }
    double used = Processes.processorSecondsWithChildren(pid) - before;
    add(round, who, "new-" + size, fresh);
    add(round, who, "gone-" + size, gone);
    add(round, who, "ready-" + size, ready);
    report.add(
        round, who, "change-" + size, "cpu_ms", used * 1e3 / (samples * CHANGES_OF_A_SAMPLE));
    report.add(round, who, "process-" + size, "rss_mb", Processes.residentBytes(pid) / 1e6);
  }

  private void add(int round, String who, String what, double[] values) {
    Samples all = new Samples(values);
    report.add(round, who, what, "p50_ms", all.quantile(0.5));
    report.add(round, who, what, "most_ms", all.quantile(1));
  }
}
