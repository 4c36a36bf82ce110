package io.fairlead.bench.policy;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.policy.core.NetworkPolicyReader;
import io.fairlead.policy.core.PlanChange;
import io.fairlead.policy.core.PolicyPlanner;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.policy.nftables.KernelPolicyTable;
import io.fairlead.policy.nftables.TableSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// What a change costs in the kernel, written by netlink from here, in both layouts; for that of
/// data also together with planning. Every size has namespaces of its own, made at the start and
/// visited in turn; after each visit the table is read back and compared with the plan.
final class PolicyChanges {
  private static final double MICROS = 1e3;
  private static final double MILLIS = 1e6;

  /// All of these have pods on the node.
  private static final int LOCAL_NAMESPACES = 20;

  /// One size of the layout of data.
  private record Site(
      int size,
      SyntheticPolicies cluster,
      PolicyPlanner planner,
      KernelPolicyTable table,
      ChainLayout chains) {
    /// @return how long the kernel's part took, in nanoseconds
    long change(Consumer<PolicyPlanner> how) {
      how.accept(planner);
      PlanChange change = planner.drain();
      long start = System.nanoTime();
      table.apply(change);
      long took = System.nanoTime() - start;
      planner.acknowledged();
      return took;
    }
  }

  private final Report report;
  private final int changes;
  private final List<Site> sites = new ArrayList<>();

  PolicyChanges(Report report, List<Integer> sizes, int changes, List<AutoCloseable> open) {
    this.report = report;
    this.changes = changes;
    for (int size : sizes) {
      sites.add(site(size, open));
    }
  }

  private Site site(int size, List<AutoCloseable> open) {
    String name = "flp" + ProcessHandle.current().pid() % 100_000 + "-" + size;
    NetworkNamespace data = NetworkNamespace.create(name + "d");
    open.add(data::delete);
    NetworkNamespace other = NetworkNamespace.create(name + "c");
    open.add(other::delete);
    SyntheticPolicies cluster = SyntheticPolicies.of(size);
    KernelPolicyTable table =
        data.call(
            () ->
                KernelPolicyTable.open(
                    IpAddress.Family.IPV4, TableSettings.of(List.of(SyntheticPolicies.LOCAL))));
    open.add(table);
    ChainLayout chains = other.call(ChainLayout::new);
    open.add(chains);
    long start = System.nanoTime();
    chains.load(cluster);
    report.add(1, PolicyBench.CHAINS, "load-" + size, "ms", (System.nanoTime() - start) / MILLIS);
    return new Site(size, cluster, cluster.planner(), table, chains);
  }

  void run(int rounds) {
    for (Site site : sites) {
      load(site);
    }
    for (int round = 0; round <= rounds; round++) {
      Map<String, Double> smallest = new LinkedHashMap<>();
      for (Site site : sites) {
        pods(round, site, true, smallest);
        pods(round, site, false, smallest);
        if (round > 0) {
          policy(round, site);
        }
        int differences = site.table.reconcile(site.planner.plan());
        if (differences != 0) {
          throw new IllegalStateException(
              "the table of " + site.size + " pods differs by " + differences);
        }
      }
    }
  }

  /// From objects to rules, and again with nothing new.
  private void load(Site site) {
    long start = System.nanoTime();
    PolicyPlanner fresh = site.cluster.planner();
    int writes = site.table.reconcile(fresh.plan());
    String what = "load-" + site.size;
    report.add(1, PolicyBench.DATA, what, "ms", (System.nanoTime() - start) / MILLIS);
    report.add(1, PolicyBench.DATA, what, "elements", writes);
    start = System.nanoTime();
    var numbers = site.table.numbers();
    PolicyPlanner adopting = new PolicyPlanner(IpAddress.Family.IPV4, SyntheticPolicies.NODE);
    adopting.adopt(numbers.classes(), numbers.grants());
    adopting.load(site.cluster.namespaces(), site.cluster.pods(), site.cluster.policies());
    int rewritten = site.table.reconcile(adopting.plan());
    report.add(
        1, PolicyBench.DATA, "restart-" + site.size, "ms", (System.nanoTime() - start) / MILLIS);
    if (rewritten != 0) {
      throw new IllegalStateException("a restart wrote " + rewritten + " elements");
    }
    site.planner.drain();
    site.planner.acknowledged();
    site.table.reconcile(site.planner.plan());
  }

  private void pods(int round, Site site, boolean local, Map<String, Double> smallest) {
    double[] whole = new double[changes];
    double[] data = new double[changes];
    double[] chains = new double[changes];
    for (int i = 0; i < changes; i++) {
      PolicyPod pod =
          SyntheticPolicies.pod(
              i % Math.clamp(site.size / 50, 1, LOCAL_NAMESPACES), i % 5, 100_000 + i, local);
      long start = System.nanoTime();
      data[i] = site.change(planner -> planner.put(pod)) / MICROS;
      whole[i] = (System.nanoTime() - start) / MICROS;
      site.change(planner -> planner.removePod(pod.key()));
      start = System.nanoTime();
      if (local) {
        site.chains.addLocal(pod);
      } else {
        site.chains.addRemote(pod);
      }
      chains[i] = (System.nanoTime() - start) / MICROS;
      if (local) {
        site.chains.removeLocal(pod);
      } else {
        site.chains.removeRemote(pod);
      }
    }
    if (round == 0) {
      return;
    }
    String kind = local ? "local-pod" : "remote-pod";
    String what = kind + "-" + site.size;
    double median = new Samples(data).quantile(0.5);
    double other = new Samples(chains).quantile(0.5);
    report.add(round, PolicyBench.DATA, what, "p50_us", median);
    report.add(round, PolicyBench.DATA, what, "p99_us", new Samples(data).quantile(0.99));
    report.add(round, PolicyBench.DATA, what, "with_plan_us", new Samples(whole).quantile(0.5));
    report.add(round, PolicyBench.CHAINS, what, "p50_us", other);
    report.add(round, PolicyBench.DATA, what, "chains_over_data", other / median);
    Double first = smallest.putIfAbsent(kind, median);
    if (first != null) {
      report.add(round, PolicyBench.DATA, what, "p50_over_smallest", median / first);
    }
  }

  /// A policy comes that selects up to 100 pods of this node and names ten peers.
  private void policy(int round, Site site) {
    if (site.size != 1_000) {
      return;
    }
    for (int i = 0; i < 100; i++) {
      PolicyPod pod =
          SyntheticPolicies.pod(
              "n0", "sel" + i, "selected", true, SyntheticPolicies.LOCAL.at(300_000 + i));
      site.change(planner -> planner.put(pod));
    }
    ObjectNode spec = Json.object();
    spec.putObject("podSelector").putObject("matchLabels").put("app", "selected");
    var from = spec.putArray("ingress").addObject().putArray("from");
    for (int i = 0; i < 10; i++) {
      ObjectNode peer = from.addObject();
      peer.putObject("namespaceSelector").putObject("matchLabels").put("n", "n" + i);
      peer.putObject("podSelector").putObject("matchLabels").put("app", "w0");
    }
    double[] times = new double[20];
    for (int i = 0; i < times.length; i++) {
      var policy = NetworkPolicyReader.read(SyntheticPolicies.object("n0", "selects-100", spec));
      long start = System.nanoTime();
      site.change(planner -> planner.put(policy));
      times[i] = (System.nanoTime() - start) / MILLIS;
      site.change(planner -> planner.removePolicy(policy.key()));
    }
    report.add(
        round, PolicyBench.DATA, "policy-of-100-pods", "p50_ms", new Samples(times).quantile(0.5));
    for (int i = 0; i < 100; i++) {
      PolicyPod pod =
          SyntheticPolicies.pod(
              "n0", "sel" + i, "selected", true, SyntheticPolicies.LOCAL.at(300_000 + i));
      site.change(planner -> planner.removePod(pod.key()));
    }
  }
}
