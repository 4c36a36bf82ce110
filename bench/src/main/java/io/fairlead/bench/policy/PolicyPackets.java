package io.fairlead.bench.policy;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.policy.core.PolicyPlanner;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.policy.nftables.KernelPolicyTable;
import io.fairlead.policy.nftables.TableSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a packet costs when both ends are isolated pods of one node: the first of a connection, and
/// those of a known one. The base has connection tracking and no policies.
final class PolicyPackets {
  private static final String CONNTRACK = "conntrack";
  private static final IpAddress CLIENT = IpAddress.parse("192.0.2.1");
  private static final IpAddress SERVER = NetworkTestbed.PODS.getFirst();
  private static final int CHAINS_SIZE = 1_000;

  /// Samples in one visit.
  private static final int TURN = 100;

  private record Contestant(String who, int size, NetworkTestbed site) {
    String suffix() {
      return size == 0 ? "" : "-" + size;
    }
  }

  private final Report report;
  private final int samples;
  private final List<AutoCloseable> open;
  private final List<Contestant> contestants = new ArrayList<>();

  PolicyPackets(Report report, List<Integer> sizes, int samples, List<AutoCloseable> open) {
    this.report = report;
    this.samples = samples;
    this.open = open;
    NetworkTestbed base = site("b");
    CommandRunner.Result tracked =
        CommandRunner.inside(base.node(), Duration.ofMinutes(1))
            .run(
                "table ip t { chain f { type filter hook forward priority -5; ct state"
                    + " established,related accept; }; }",
                List.of("nft", "-f", "-"));
    if (!tracked.succeeded()) {
      throw new IllegalStateException(tracked.error());
    }
    contestants.add(new Contestant(CONNTRACK, 0, base));
    for (int size : sizes) {
      contestants.add(new Contestant(PolicyBench.DATA, size, data(size)));
      if (size == CHAINS_SIZE) {
        contestants.add(new Contestant(PolicyBench.CHAINS, size, chains(size)));
      }
    }
  }

  private NetworkTestbed site(String name) {
    NetworkTestbed site =
        new NetworkTestbed("flp" + ProcessHandle.current().pid() % 100_000 + name);
    open.add(site);
    return site;
  }

  private static List<PolicyPod> ends() {
    return List.of(
        SyntheticPolicies.pod("n0", "client", "w0", true, CLIENT),
        SyntheticPolicies.pod("n0", "server", "w1", true, SERVER));
  }

  private NetworkTestbed data(int size) {
    NetworkTestbed site = site("d" + size);
    PolicyPlanner planner = SyntheticPolicies.of(size).planner();
    ends().forEach(planner::put);
    List<Cidr> ranges =
        List.of(SyntheticPolicies.LOCAL, NetworkTestbed.CLIENTS, Cidr.parse("10.64.1.0/24"));
    try (KernelPolicyTable table =
        site.node()
            .call(() -> KernelPolicyTable.open(IpAddress.Family.IPV4, TableSettings.of(ranges)))) {
      table.reconcile(planner.plan());
    }
    return site;
  }

  private NetworkTestbed chains(int size) {
    NetworkTestbed site = site("c" + size);
    try (ChainLayout layout = site.node().call(ChainLayout::new)) {
      layout.load(SyntheticPolicies.of(size));
      ends().forEach(layout::addLocal);
    }
    return site;
  }

  /// Visits everyone in many short turns; round 0 warms up.
  void run(int rounds) {
    for (int round = 0; round <= rounds; round++) {
      measure(round, "connect");
      measure(round, "exchange");
    }
  }

  private void measure(int round, String what) {
    Map<Contestant, double[]> taken = new LinkedHashMap<>();
    contestants.forEach(one -> taken.put(one, new double[samples]));
    for (int from = 0; from < samples; from += TURN) {
      int turn = Math.min(TURN, samples - from);
      int to = from;
      taken.forEach(
          (one, all) -> {
            double[] took =
                what.equals("connect")
                    ? one.site.connect(SERVER, NetworkTestbed.POD_PORT, turn)
                    : one.site.exchange(SERVER, turn);
            System.arraycopy(took, 0, all, to, turn);
          });
    }
    if (round == 0) {
      return;
    }
    double base = 0;
    double smallest = 0;
    for (Map.Entry<Contestant, double[]> each : taken.entrySet()) {
      Contestant one = each.getKey();
      double median = new Samples(each.getValue()).quantile(0.5);
      String name = what + one.suffix();
      report.add(round, one.who, name, "p50_us", median);
      if (one.who.equals(CONNTRACK)) {
        base = median;
        continue;
      }
      report.add(round, one.who, name, "p50_over_conntrack", median / base);
      if (one.who.equals(PolicyBench.DATA)) {
        if (smallest == 0) {
          smallest = median;
        } else {
          report.add(round, one.who, name, "p50_over_smallest", median / smallest);
        }
      }
    }
  }
}
