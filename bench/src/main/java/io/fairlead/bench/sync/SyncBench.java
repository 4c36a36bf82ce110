package io.fairlead.bench.sync;

import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Originals;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.bench.testbed.FakeApiCluster;
import io.fairlead.bench.testbed.InProcessProxy;
import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.KernelIptablesRunner;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// From a write to the API to the first connection that follows it, in each mode: endpoints that
/// come (S1), also while others change all the time (S4), and go (S3), a new Service (S2), CPU time
/// of a change (S5), the start until the last Service answers.
///
/// For these the API is in memory and in this process, as are the proxy and the prober, so the
/// figures hold the proxy's part and not the network's or another process's. How a process starts
/// (S6), what it needs (S7) and how it starts again (S8) is measured on one of its own, see {@link
/// Launched}. Every size has namespaces of its own. Arguments: `[--smoke] [--check]
/// [nftables|iptables|process|originals] [rounds] [sizes...]`; both modes and 7 rounds of 10, 1,000
/// and 10,000 when left out, which takes half an hour, most of it for the iptables mode among
/// 10,000; `process` alone leaves all out that is measured inside this process and takes two
/// minutes. Where kube-proxy is found, both are compared as processes; `originals` does only that.
/// Needs root.
public final class SyncBench {
  private static final List<ProxyMode> MODES = List.of(ProxyMode.NFTABLES, ProxyMode.IPTABLES);
  private static final String PROCESS = "process";
  private static final String ORIGINALS = "originals";
  private static final int PROCESS_ROUNDS = 3;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /// The contestant to form ratios to, when only those with kube-proxy are measured.
  private static final String OURS = "fairlead-nftables";

  private static final int COMPARED = 3;
  private static final Duration REST = Duration.ofMillis(1500);
  private static final double MILLIS = 1e6;
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("S1", "come-10000", "p50_ms", 1),
          Goal.atMost("S1", "come-10000", "p99_ms", 10),
          Goal.atMost("S2", "new-10000", "p50_ms", 2),
          Goal.atMost("S2", "new-10000", "p99_ms", 15),
          Goal.atMost("S3", "go-10000", "p50_ms", 1),
          Goal.atMost("S4", "come-beside-20-10000", "p99_ms", 10),
          Goal.atMost("S4", "come-beside-1000-10000", "p99_ms", 50),
          Goal.atMost("S5", "cpu-10000", "ms_per_change", 0.3),
          Goal.atMost("S6", "launch-10000", "ms", 1000),
          Goal.atMost("S7", "process-10000", "resident_mb", 120),
          Goal.atMost("S8", "restart-10000", "ms", 600),
          Goal.atMost("S8", "restart-10000", "writes", 0));

  private final Report report;
  private final int most;
  private int samples;

  private SyncBench(Report report, int most) {
    this.report = report;
    this.most = most;
    this.samples = most;
  }

  /// A change costs the iptables mode as much as there are Services: among many of them, fewer
  /// changes tell as much, and a round does not take minutes.
  private static int samples(ProxyMode mode, int size, int most) {
    return mode == ProxyMode.NFTABLES ? most : Math.clamp(50_000L / size, Math.min(5, most), most);
  }

  public static void main(String[] words) throws Exception {
    List<String> arguments = List.of(words);
    boolean smoke = arguments.contains("--smoke");
    List<Integer> numbers =
        arguments.stream()
            .filter(
                word ->
                    !word.startsWith("-")
                        && ProxyMode.find(word).isEmpty()
                        && !word.equals(PROCESS)
                        && !word.equals(ORIGINALS))
            .map(Integer::valueOf)
            .toList();
    boolean processOnly = arguments.contains(PROCESS);
    boolean comparisonOnly = arguments.contains(ORIGINALS);
    List<ProxyMode> named =
        MODES.stream().filter(mode -> arguments.contains(mode.toString())).toList();
    List<ProxyMode> modes = named.isEmpty() && !processOnly ? MODES : named;
    int rounds = numbers.isEmpty() ? (smoke ? 1 : 7) : numbers.getFirst();
    List<Integer> sizes = new ArrayList<>(numbers.stream().skip(1).toList());
    if (sizes.isEmpty()) {
      sizes.addAll(smoke ? List.of(10) : List.of(10, 1_000, 10_000));
    }
    Optional<Path> kubeProxy = processOnly ? Optional.empty() : Originals.KUBE_PROXY.find();
    Report report = new Report(System.out, smoke || comparisonOnly ? List.of() : GOALS);
    SyncBench bench = new SyncBench(report, smoke ? 3 : 50);
    for (int size : sizes) {
      progress(size + " services are made");
      try (FakeApiCluster cluster = new FakeApiCluster(size)) {
        for (int round = 1; round <= rounds && !comparisonOnly; round++) {
          for (ProxyMode mode : modes) {
            progress(size + " services, round " + round + " of " + rounds + ", " + mode);
            bench.round(round, mode, size, cluster);
          }
        }
        int launches = processOnly ? rounds : Math.min(rounds, PROCESS_ROUNDS);
        for (int round = 1; round <= launches && !comparisonOnly; round++) {
          progress(size + " services, round " + round + " of " + launches + ", a process");
          bench.process(round, size, cluster);
        }
        if (kubeProxy.isPresent() || comparisonOnly) {
          compare(report, kubeProxy, modes, launches, size, cluster, smoke);
        }
      }
    }
    boolean met = report.table(comparisonOnly ? OURS : ProxyMode.NFTABLES.toString());
    System.exit(arguments.contains("--check") && !met ? 1 : 0);
  }

  private static void compare(
      Report report,
      Optional<Path> kubeProxy,
      List<ProxyMode> modes,
      int rounds,
      int size,
      FakeApiCluster cluster,
      boolean smoke)
      throws Exception {
    ProxyComparison comparison =
        new ProxyComparison(report, kubeProxy, smoke ? 1 : COMPARED, smoke ? Duration.ZERO : REST);
    for (int round = 1; round <= rounds; round++) {
      for (ProxyMode mode : modes) {
        progress(size + " services, round " + round + " of " + rounds + ", kube-proxy, " + mode);
        comparison.round(round, mode, size, cluster);
      }
    }
  }

  /// Says on the side what it is at: a whole run takes a while.
  private static void progress(String what) {
    System.err.println(what);
  }

  private void round(int round, ProxyMode mode, int size, FakeApiCluster cluster) throws Exception {
    samples = samples(mode, size, most);
    String prefix =
        "fls" + ProcessHandle.current().pid() + "-" + size + mode.toString().charAt(0) + round;
    try (NetworkTestbed site = new NetworkTestbed(prefix)) {
      // Also when the run is interrupted; closing twice is fine.
      Tasks.atExit("clean-up", site::close);
      long start = System.nanoTime();
      DataPlane plane = plane(mode, site);
      try (InProcessProxy _ = new InProcessProxy(mode, cluster, plane)) {
        long answered = site.awaitTaken(FakeApiCluster.LAST, LIMIT);
        report.add(round, mode.toString(), "start-" + size, "ms", (answered - start) / MILLIS);
        changes(round, mode, size, cluster, site);
        beside(round, mode, size, 20, cluster, site);
        if (mode == ProxyMode.NFTABLES) {
          beside(round, mode, size, 1_000, cluster, site);
        }
        cpu(round, mode, size, cluster, site);
      }
    }
  }

  private static DataPlane plane(ProxyMode mode, NetworkTestbed site) {
    if (mode == ProxyMode.NFTABLES) {
      return site.node().call(() -> NftablesPlane.open(IpAddress.Family.IPV4));
    }
    return new IptablesPlane(
        new KernelIptablesRunner(
            new Iptables(Iptables.Family.IPV4, CommandRunner.inside(site.node(), LIMIT))),
        IptablesSettings.standard(),
        new Canary(Pacer.system(), Duration.ofHours(1)));
  }

  private void changes(
      int round, ProxyMode mode, int size, FakeApiCluster cluster, NetworkTestbed site) {
    double[] go = new double[samples];
    double[] come = new double[samples];
    double[] fresh = new double[samples];
    for (int i = 0; i < samples; i++) {
      // Before "ready" is timed, "gone" must have been seen.
      long begin = System.nanoTime();
      cluster.endpoints("last", 0);
      go[i] = (site.awaitRefused(FakeApiCluster.LAST, LIMIT) - begin) / MILLIS;
      begin = System.nanoTime();
      cluster.endpoints("last", 3);
      come[i] = (site.awaitTaken(FakeApiCluster.LAST, LIMIT) - begin) / MILLIS;
      begin = System.nanoTime();
      cluster.add("fresh", FakeApiCluster.FRESH);
      fresh[i] = (site.awaitTaken(FakeApiCluster.FRESH, LIMIT) - begin) / MILLIS;
      cluster.remove("fresh");
      site.awaitGone(FakeApiCluster.FRESH, LIMIT);
    }
    add(round, mode, "go-" + size, go);
    add(round, mode, "come-" + size, come);
    add(round, mode, "new-" + size, fresh);
  }

  /// Endpoints that come while others change so many times a second.
  private void beside(
      int round,
      ProxyMode mode,
      int size,
      int perSecond,
      FakeApiCluster cluster,
      NetworkTestbed site) {
    double[] come = new double[samples];
    try (Churn _ = new Churn(cluster, size, perSecond)) {
      for (int i = 0; i < samples; i++) {
        cluster.endpoints("last", 0);
        site.awaitRefused(FakeApiCluster.LAST, LIMIT);
        long begin = System.nanoTime();
        cluster.endpoints("last", 3);
        come[i] = (site.awaitTaken(FakeApiCluster.LAST, LIMIT) - begin) / MILLIS;
      }
    }
    add(round, mode, "come-beside-" + perSecond + "-" + size, come);
  }

  /// The proxy as a process: its first start, its memory, and a start that finds everything as it
  /// shall be.
  private void process(int round, int size, FakeApiCluster cluster) throws Exception {
    try (NetworkTestbed site =
        new NetworkTestbed("flp" + ProcessHandle.current().pid() + "-" + size + "-" + round)) {
      Tasks.atExit("clean-up", site::close);
      long launched = System.nanoTime();
      try (FairleadProxyProcess first =
          new FairleadProxyProcess(cluster, site, ProxyMode.NFTABLES)) {
        double answered = (site.awaitTaken(FakeApiCluster.LAST, LIMIT) - launched) / MILLIS;
        report.add(round, ProxyMode.NFTABLES.toString(), "launch-" + size, "ms", answered);
        first.awaitReady(LIMIT);
        report.add(
            round,
            ProxyMode.NFTABLES.toString(),
            "process-" + size,
            "resident_mb",
            first.residentMegabytes());
      }
      int generation = FairleadProxyProcess.generation(site);
      String restart = "restart-" + size;
      long start = System.nanoTime();
      try (FairleadProxyProcess second =
          new FairleadProxyProcess(cluster, site, ProxyMode.NFTABLES)) {
        second.awaitReady(LIMIT);
        report.add(
            round,
            ProxyMode.NFTABLES.toString(),
            restart,
            "ms",
            (System.nanoTime() - start) / MILLIS);
        // When it knows that its rules are right it has not read the cluster yet: a change shows
        // when it has, and what it wrote besides.
        cluster.endpoints("last", 0);
        double follows = (site.awaitRefused(FakeApiCluster.LAST, LIMIT) - start) / MILLIS;
        int writes = FairleadProxyProcess.generation(site) - generation - 1;
        cluster.endpoints("last", 3);
        site.awaitTaken(FakeApiCluster.LAST, LIMIT);
        double used = second.processorTime().toNanos() / MILLIS;
        report.add(round, ProxyMode.NFTABLES.toString(), restart, "follows_ms", follows);
        report.add(round, ProxyMode.NFTABLES.toString(), restart, "cpu_ms", used);
        report.add(round, ProxyMode.NFTABLES.toString(), restart, "writes", writes);
      }
    }
  }

  private void add(int round, ProxyMode mode, String what, double[] values) {
    Samples all = new Samples(values);
    report.add(round, mode.toString(), what, "p50_ms", all.quantile(0.5));
    report.add(round, mode.toString(), what, "p99_ms", all.quantile(0.99));
  }

  /// CPU time of this process per change, without anybody probing; tools started as children do not
  /// count.
  private void cpu(
      int round, ProxyMode mode, int size, FakeApiCluster cluster, NetworkTestbed site) {
    if (!(ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system)) {
      return;
    }
    long before = system.getProcessCpuTime();
    for (int i = 0; i < samples; i++) {
      cluster.endpoints("last", 2 + i % 2);
    }
    cluster.endpoints("last", 3);
    site.awaitTaken(FakeApiCluster.LAST, LIMIT);
    double used = (system.getProcessCpuTime() - before) / MILLIS;
    report.add(round, mode.toString(), "cpu-" + size, "ms_per_change", used / (samples + 1));
  }
}
