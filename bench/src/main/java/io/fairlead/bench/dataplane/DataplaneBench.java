package io.fairlead.bench.dataplane;

import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Originals;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.bench.testbed.FakeApiCluster;
import io.fairlead.bench.testbed.KubeProxy;
import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.bench.testbed.SyntheticServices;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.KernelIptablesRunner;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a new connection through a Service costs against one straight to the pod, with few and with
/// many Services beside it (D1, D2, D7), and how evenly connections are spread (D6).
///
/// Every contestant has a client, a node and a pod of its own, made at the start and visited in
/// turn; ratios are formed inside a round. Each visit checks that every connection reached the pod.
/// The client counts as a pod of the node, so only the destination is rewritten. With many Services
/// the iptables mode is loaded through the legacy tools: the others need minutes for that, and the
/// list is the same.
///
/// Arguments: `[--smoke] [--check] [rounds] [sizes...]`; 7 rounds of 10 and 10,000 when left out.
/// Needs root.
public final class DataplaneBench {
  private static final IpAddress SERVICE = IpAddress.parse("10.111.255.1");
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final String DIRECT = "direct";
  private static final int MANY = 2_000;

  /// The nftables mode with the node API open, on the same machines as without.
  private static final String WITH_NODE_API = "nftables-node-api";

  /// Connections in one visit.
  private static final int TURN = 100;

  /// With two degrees of freedom a fair choice exceeds this once in a thousand runs.
  private static final double CHI_SQUARE = 13.8;

  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("D1", "connect-10000", "p50_over_direct", 1.30),
          Goal.atMost("D1", "connect-10000", "p50_over_smallest", 1.05),
          Goal.atMost("D1", "connect-100000", "p50_over_smallest", 1.05),
          Goal.atMost("D7", "connect-10000", "p99_over_direct", 1.25),
          Goal.atMost("D8", "connect-10", "p50_over_without_node_api", 1.01),
          Goal.atMost("D6", "balance", "chi_square", CHI_SQUARE));

  /// A client that is measured.
  private record Contestant(
      String who, int size, NetworkTestbed site, IpAddress target, int port) {}

  private final Report report;
  private final int samples;
  private final int spread;
  private final List<Contestant> contestants = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  private DataplaneBench(Report report, int samples, int spread) {
    this.report = report;
    this.samples = samples;
    this.spread = spread;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    int rounds = call.rounds(7);
    List<Integer> sizes = new ArrayList<>(call.sizes());
    if (sizes.isEmpty()) {
      sizes.addAll(smoke ? List.of(10) : List.of(10, 10_000));
    }
    Report report = call.report(GOALS);
    DataplaneBench bench = new DataplaneBench(report, smoke ? 50 : 4_000, smoke ? 300 : 100_000);
    Tasks.atExit("clean-up", bench::close);
    bench.build(sizes);
    for (int round = 0; round <= rounds; round++) {
      bench.round(round);
    }
    bench.balance();
    call.exit(report.table(ProxyMode.NFTABLES.toString()));
  }

  private void build(List<Integer> sizes) throws Exception {
    contestants.add(
        new Contestant(
            DIRECT, 0, site(DIRECT), NetworkTestbed.PODS.getFirst(), NetworkTestbed.POD_PORT));
    for (int size : sizes) {
      for (ProxyMode mode : List.of(ProxyMode.NFTABLES, ProxyMode.IPTABLES)) {
        if (mode == ProxyMode.NFTABLES || size <= 10_000) {
          NetworkTestbed site = site(mode.toString().charAt(0) + "" + size);
          load(mode, size, site);
          contestants.add(new Contestant(mode.toString(), size, site, SERVICE, 80));
          if (mode == ProxyMode.NFTABLES && size == sizes.getFirst()) {
            contestants.add(new Contestant(WITH_NODE_API, size, site, SERVICE, 80));
          }
        }
      }
    }
    Optional<Path> kubeProxy = Originals.KUBE_PROXY.find();
    if (kubeProxy.isPresent()) {
      for (int size : sizes) {
        FakeApiCluster cluster = new FakeApiCluster(size);
        open.add(cluster);
        cluster.add("zz-last", SERVICE.toString());
        for (ProxyMode mode : List.of(ProxyMode.NFTABLES, ProxyMode.IPTABLES)) {
          NetworkTestbed site = site("k" + mode.toString().charAt(0) + size);
          String path =
              size >= MANY && mode == ProxyMode.IPTABLES
                  ? KubeProxy.legacyPath()
                  : System.getenv("PATH");
          // Closed before its site is.
          open.addFirst(new KubeProxy(kubeProxy.get(), mode, site, cluster, path));
          site.awaitTaken(SERVICE.toString(), LIMIT);
          contestants.add(new Contestant("kube-proxy-" + mode, size, site, SERVICE, 80));
        }
      }
    }
  }

  private NetworkTestbed site(String name) {
    NetworkTestbed site =
        new NetworkTestbed("fld" + ProcessHandle.current().pid() % 100_000 + name);
    open.add(site);
    return site;
  }

  private void load(ProxyMode mode, int size, NetworkTestbed site) {
    NodeFacts node =
        NodeFacts.of("bench", NetworkTestbed.NODE)
            .withDetector(new LocalDetector.Source(NetworkTestbed.CLIENTS));
    List<Backend> pods =
        NetworkTestbed.PODS.stream()
            .map(pod -> Backend.ready(pod, NetworkTestbed.POD_PORT, true))
            .toList();
    try (DataPlane plane = plane(mode, size, site)) {
      PlanFollower.apply(
          plane,
          SyntheticServices.plan(size, node).with(SyntheticServices.leading(SERVICE, pods, node)));
    }
  }

  private static DataPlane plane(ProxyMode mode, int size, NetworkTestbed site) {
    if (mode == ProxyMode.NFTABLES) {
      return site.node().call(() -> NftablesPlane.open(IpAddress.Family.IPV4));
    }
    CommandRunner tool = CommandRunner.inside(site.node(), LIMIT);
    Iptables legacy = new Iptables(Iptables.Family.IPV4, tool, Iptables.Variant.LEGACY);
    boolean old = size >= MANY && legacy.isInstalled();
    return new IptablesPlane(
        new KernelIptablesRunner(old ? legacy : new Iptables(Iptables.Family.IPV4, tool)),
        IptablesSettings.standard(),
        new Canary(Pacer.system(), Duration.ofHours(1)));
  }

  /// Visits everybody in many short turns. Round 0 warms up and is no figure.
  ///
  /// On which processor client and pod meet is chance, and costs more or less than what is to be
  /// seen: with one long visit each, a round would compare two such chances.
  private void round(int round) {
    Map<Contestant, double[]> taken = new LinkedHashMap<>();
    contestants.forEach(contestant -> taken.put(contestant, new double[samples]));
    for (int from = 0; from < samples; from += TURN) {
      int turn = Math.min(TURN, samples - from);
      int to = from;
      taken.forEach(
          (contestant, all) -> System.arraycopy(visit(contestant, turn), 0, all, to, turn));
    }
    if (round > 0) {
      Map<Contestant, Samples> times = new LinkedHashMap<>();
      taken.forEach((contestant, all) -> times.put(contestant, new Samples(all)));
      times.forEach((contestant, all) -> add(round, contestant, all, times));
    }
  }

  private static double[] visit(Contestant contestant, int connections) {
    if (contestant.who.equals(WITH_NODE_API)) {
      try (OpenNodeApi _ = new OpenNodeApi(contestant.site)) {
        return connect(contestant, connections);
      }
    }
    return connect(contestant, connections);
  }

  private static double[] connect(Contestant contestant, int connections) {
    long before = sum(contestant.site);
    double[] took = contestant.site.connect(contestant.target, contestant.port, connections);
    awaitTaken(contestant.site, before + connections);
    return took;
  }

  private void add(
      int round, Contestant contestant, Samples taken, Map<Contestant, Samples> times) {
    String what = contestant.who.equals(DIRECT) ? "connect" : "connect-" + contestant.size;
    double median = taken.quantile(0.5);
    report.add(round, contestant.who, what, "p50_us", median);
    report.add(round, contestant.who, what, "p99_us", taken.quantile(0.99));
    if (contestant.who.equals(DIRECT)) {
      return;
    }
    if (contestant.who.equals(WITH_NODE_API)) {
      times.forEach(
          (other, all) -> {
            if (other.site.equals(contestant.site) && !other.equals(contestant)) {
              report.add(
                  round,
                  ProxyMode.NFTABLES.toString(),
                  what,
                  "p50_over_without_node_api",
                  median / all.quantile(0.5));
            }
          });
      return;
    }
    Samples direct = times.get(contestants.getFirst());
    Contestant smallest =
        contestants.stream()
            .filter(other -> other.who.equals(contestant.who))
            .min(Comparator.comparingInt(Contestant::size))
            .orElseThrow();
    Samples small = times.get(smallest);
    if (direct != null && small != null) {
      report.add(round, contestant.who, what, "p50_over_direct", median / direct.quantile(0.5));
      report.add(
          round,
          contestant.who,
          what,
          "p99_over_direct",
          taken.quantile(0.99) / direct.quantile(0.99));
      if (!smallest.equals(contestant)) {
        report.add(round, contestant.who, what, "p50_over_smallest", median / small.quantile(0.5));
        report.add(round, contestant.who, what, "added_us", median - small.quantile(0.5));
      }
    }
  }

  /// How far the shares of the endpoints are from equal ones.
  private void balance() {
    for (Contestant contestant : contestants) {
      if (contestant.who.equals(DIRECT)
          || contestant.who.equals(WITH_NODE_API)
          || contestant.size > MANY) {
        continue;
      }
      long[] before = contestant.site.taken();
      visit(contestant, spread);
      long[] after = contestant.site.taken();
      double fair = spread / (double) after.length;
      double chiSquare = 0;
      for (int i = 0; i < after.length; i++) {
        double off = after[i] - before[i] - fair;
        chiSquare += off * off / fair;
      }
      report.add(1, contestant.who, "balance", "chi_square", chiSquare);
    }
  }

  private static long sum(NetworkTestbed site) {
    long sum = 0;
    for (long count : site.taken()) {
      sum += count;
    }
    return sum;
  }

  /// One connection that did not arrive voids the run.
  private static void awaitTaken(NetworkTestbed site, long wanted) {
    long give = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (sum(site) < wanted) {
      if (System.nanoTime() > give) {
        throw new IllegalStateException(
            "only " + sum(site) + " of " + wanted + " connections reached the pod");
      }
      Thread.onSpinWait();
    }
  }

  private void close() {
    for (AutoCloseable each : open) {
      try {
        each.close();
      } catch (Exception e) {
        System.err.println("closing: " + e.getMessage());
      }
    }
  }
}
