package io.fairlead.bench.sync;

import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.bench.site.Cluster;
import io.fairlead.bench.site.Running;
import io.fairlead.bench.site.Site;
import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.KernelRuleTool;
import io.fairlead.proxy.nftables.NftablesPlane;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// From a write to the API to the first connection that follows it, in each mode: endpoints that
/// come (S1), also while others change all the time (S4), and go (S3), a new Service (S2), CPU time
/// of a change (S5), the start until the last Service answers.
///
/// For these the API is in memory and in this process, as are the proxy and the prober, so the
/// figures hold the proxy's part and not the network's or another process's. How a process starts
/// (S6), what it needs (S7) and how it starts again (S8) is measured on one of its own, see {@link
/// Launched}. Every size has namespaces of its own. Arguments: `[--smoke] [--check]
/// [nftables|iptables|process] [rounds] [sizes...]`; both modes and 7 rounds of 10, 1,000 and
/// 10,000 when left out, which takes half an hour, most of it for the iptables mode among 10,000;
/// `process` alone leaves all out that is measured inside this process and takes two minutes. Needs
/// root.
public final class SyncBench {
  private static final List<String> MODES = List.of("nftables", "iptables");
  private static final String PROCESS = "process";
  private static final int PROCESS_ROUNDS = 3;
  private static final Duration LIMIT = Duration.ofMinutes(5);
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
  private static int samples(String mode, int size, int most) {
    return mode.equals("nftables") ? most : Math.clamp(50_000L / size, Math.min(5, most), most);
  }

  public static void main(String[] words) throws Exception {
    List<String> arguments = List.of(words);
    boolean smoke = arguments.contains("--smoke");
    List<Integer> numbers =
        arguments.stream()
            .filter(word -> !word.startsWith("-") && !MODES.contains(word) && !word.equals(PROCESS))
            .map(Integer::valueOf)
            .toList();
    boolean processOnly = arguments.contains(PROCESS);
    List<String> named = MODES.stream().filter(arguments::contains).toList();
    List<String> modes = named.isEmpty() && !processOnly ? MODES : named;
    int rounds = numbers.isEmpty() ? (smoke ? 1 : 7) : numbers.getFirst();
    List<Integer> sizes = new ArrayList<>(numbers.stream().skip(1).toList());
    if (sizes.isEmpty()) {
      sizes.addAll(smoke ? List.of(10) : List.of(10, 1_000, 10_000));
    }
    Report report = new Report(System.out, smoke ? List.of() : GOALS);
    SyncBench bench = new SyncBench(report, smoke ? 3 : 50);
    for (int size : sizes) {
      progress(size + " services are made");
      try (Cluster cluster = new Cluster(size)) {
        for (int round = 1; round <= rounds; round++) {
          for (String mode : modes) {
            progress(size + " services, round " + round + " of " + rounds + ", " + mode);
            bench.round(round, mode, size, cluster);
          }
        }
        int launches = processOnly ? rounds : Math.min(rounds, PROCESS_ROUNDS);
        for (int round = 1; round <= launches; round++) {
          progress(size + " services, round " + round + " of " + launches + ", a process");
          bench.process(round, size, cluster);
        }
      }
    }
    boolean met = report.table("nftables");
    System.exit(arguments.contains("--check") && !met ? 1 : 0);
  }

  /// Says on the side what it is at: a whole run takes a while.
  private static void progress(String what) {
    System.err.println(what);
  }

  private void round(int round, String mode, int size, Cluster cluster) throws Exception {
    samples = samples(mode, size, most);
    String prefix = "fls" + ProcessHandle.current().pid() + "-" + size + mode.charAt(0) + round;
    try (Site site = new Site(prefix)) {
      // Also when the run is interrupted; closing twice is fine.
      Runtime.getRuntime().addShutdownHook(new Thread(site::close));
      long start = System.nanoTime();
      DataPlane plane = plane(mode, site);
      try (Running _ = new Running(mode, cluster, plane)) {
        long answered = site.awaitTaken(Cluster.LAST, LIMIT);
        report.add(round, mode, "start-" + size, "ms", (answered - start) / MILLIS);
        changes(round, mode, size, cluster, site);
        beside(round, mode, size, 20, cluster, site);
        if (mode.equals("nftables")) {
          beside(round, mode, size, 1_000, cluster, site);
        }
        cpu(round, mode, size, cluster, site);
      }
    }
  }

  private static DataPlane plane(String mode, Site site) {
    if (mode.equals("nftables")) {
      return site.node().call(() -> NftablesPlane.open(IpAddress.Family.IPV4));
    }
    return new IptablesPlane(
        new KernelRuleTool(new Iptables(Iptables.Family.IPV4, Tool.inside(site.node(), LIMIT))),
        IptablesSettings.standard(),
        new Canary(Pacer.system(), Duration.ofHours(1)));
  }

  private void changes(int round, String mode, int size, Cluster cluster, Site site) {
    double[] go = new double[samples];
    double[] come = new double[samples];
    double[] fresh = new double[samples];
    for (int i = 0; i < samples; i++) {
      // Before "ready" is timed, "gone" must have been seen.
      long begin = System.nanoTime();
      cluster.endpoints("last", 0);
      go[i] = (site.awaitRefused(Cluster.LAST, LIMIT) - begin) / MILLIS;
      begin = System.nanoTime();
      cluster.endpoints("last", 3);
      come[i] = (site.awaitTaken(Cluster.LAST, LIMIT) - begin) / MILLIS;
      begin = System.nanoTime();
      cluster.add("fresh", Cluster.FRESH);
      fresh[i] = (site.awaitTaken(Cluster.FRESH, LIMIT) - begin) / MILLIS;
      cluster.remove("fresh");
      site.awaitGone(Cluster.FRESH, LIMIT);
    }
    add(round, mode, "go-" + size, go);
    add(round, mode, "come-" + size, come);
    add(round, mode, "new-" + size, fresh);
  }

  /// Endpoints that come while others change so many times a second.
  private void beside(int round, String mode, int size, int perSecond, Cluster cluster, Site site) {
    double[] come = new double[samples];
    try (Churn _ = new Churn(cluster, size, perSecond)) {
      for (int i = 0; i < samples; i++) {
        cluster.endpoints("last", 0);
        site.awaitRefused(Cluster.LAST, LIMIT);
        long begin = System.nanoTime();
        cluster.endpoints("last", 3);
        come[i] = (site.awaitTaken(Cluster.LAST, LIMIT) - begin) / MILLIS;
      }
    }
    add(round, mode, "come-beside-" + perSecond + "-" + size, come);
  }

  /// The proxy as a process: its first start, its memory, and a start that finds everything as it
  /// shall be.
  private void process(int round, int size, Cluster cluster) throws Exception {
    try (Site site = new Site("flp" + ProcessHandle.current().pid() + "-" + size + "-" + round)) {
      Runtime.getRuntime().addShutdownHook(new Thread(site::close));
      long launched = System.nanoTime();
      try (Launched first = new Launched(cluster, site, "nftables")) {
        double answered = (site.awaitTaken(Cluster.LAST, LIMIT) - launched) / MILLIS;
        report.add(round, "nftables", "launch-" + size, "ms", answered);
        first.awaitReady(LIMIT);
        report.add(round, "nftables", "process-" + size, "resident_mb", first.residentMegabytes());
      }
      int generation = Launched.generation(site);
      String restart = "restart-" + size;
      long start = System.nanoTime();
      try (Launched second = new Launched(cluster, site, "nftables")) {
        second.awaitReady(LIMIT);
        report.add(round, "nftables", restart, "ms", (System.nanoTime() - start) / MILLIS);
        // When it knows that its rules are right it has not read the cluster yet: a change shows
        // when it has, and what it wrote besides.
        cluster.endpoints("last", 0);
        double follows = (site.awaitRefused(Cluster.LAST, LIMIT) - start) / MILLIS;
        int writes = Launched.generation(site) - generation - 1;
        cluster.endpoints("last", 3);
        site.awaitTaken(Cluster.LAST, LIMIT);
        double used = second.processorTime().toNanos() / MILLIS;
        report.add(round, "nftables", restart, "follows_ms", follows);
        report.add(round, "nftables", restart, "cpu_ms", used);
        report.add(round, "nftables", restart, "writes", writes);
      }
    }
  }

  private void add(int round, String mode, String what, double[] values) {
    Samples all = new Samples(values);
    report.add(round, mode, what, "p50_ms", all.quantile(0.5));
    report.add(round, mode, what, "p99_ms", all.quantile(0.99));
  }

  /// CPU time of this process per change, without anybody probing; tools started as children do not
  /// count.
  private void cpu(int round, String mode, int size, Cluster cluster, Site site) {
    if (!(ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system)) {
      return;
    }
    long before = system.getProcessCpuTime();
    for (int i = 0; i < samples; i++) {
      cluster.endpoints("last", 2 + i % 2);
    }
    cluster.endpoints("last", 3);
    site.awaitTaken(Cluster.LAST, LIMIT);
    double used = (system.getProcessCpuTime() - before) / MILLIS;
    report.add(round, mode, "cpu-" + size, "ms_per_change", used / (samples + 1));
  }
}
