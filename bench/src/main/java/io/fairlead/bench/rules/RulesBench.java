package io.fairlead.bench.rules;

import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.bench.testbed.SyntheticServices;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.work.Tasks;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// What it costs to bring Services into nftables: the whole load, one endpoint changed, one Service
/// added, one removed, with few and with many Services there. Each size has a namespace of its own,
/// made at the start; they are visited in turn. After each visit the table is read back: one that
/// differs from the plan ends the program.
///
/// Arguments: `[--smoke] [--check] [rounds] [sizes...]`; 7 rounds of 10, 1,000, 10,000 and 100,000
/// when left out. Needs root.
public final class RulesBench {
  private static final int[] SIZES = {10, 1_000, 10_000, 100_000};
  private static final int CHANGES = 500;
  private static final double MICROS = 1e3;
  private static final double MILLIS = 1e6;
  private static final String WHO = "nftables";
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("K1", "change-endpoint-10000", "p50_us", 50),
          Goal.atMost("K1", "change-endpoint-10000-over-10", "ratio", 1.2),
          Goal.atMost("K2", "load-10000", "ms", 400),
          Goal.atMost("K2", "load-100000", "ms", 5000));

  private final Report report;
  private final List<Site> sites = new ArrayList<>();

  /// One size in its namespace.
  private record Site(int size, Plan plan, NetworkNamespace namespace, NftablesPlane plane) {}

  private RulesBench(Report report) {
    this.report = report;
  }

  public static void main(String[] words) {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    int rounds = call.rounds(7);
    List<Integer> sizes = new ArrayList<>(call.sizes());
    if (sizes.isEmpty()) {
      for (int size : SIZES) {
        if (!smoke || size <= 1_000) {
          sizes.add(size);
        }
      }
    }
    RulesBench bench = new RulesBench(new Report(System.out, GOALS));
    Tasks.atExit("clean-up", bench::close);
    bench.run(rounds, sizes, smoke ? 20 : CHANGES);
    call.exit(bench.report.table(WHO));
  }

  private void run(int rounds, List<Integer> sizes, int changes) {
    for (int size : sizes) {
      NetworkNamespace namespace =
          NetworkNamespace.create("flb" + ProcessHandle.current().pid() + "-" + size);
      NftablesPlane plane = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV4));
      sites.add(new Site(size, SyntheticServices.plan(size), namespace, plane));
    }
    // Round 0 is the cold one: a figure of its own, in no median.
    for (int round = 0; round <= rounds; round++) {
      String suffix = round == 0 ? "-cold" : "";
      double smallest = 0;
      for (Site site : sites) {
        load(round, site, suffix);
        double median =
            changed(round, site, "change-endpoint-" + site.size + suffix, changes, this::endpoint);
        changed(round, site, "remove-add-service-" + site.size + suffix, changes, this::service);
        check(site);
        if (smallest == 0) {
          smallest = median;
        } else if (round > 0) {
          report.add(
              round,
              WHO,
              "change-endpoint-" + site.size + "-over-" + sites.getFirst().size,
              "ratio",
              median / smallest);
        }
      }
    }
  }

  private void load(int round, Site site, String suffix) {
    site.plane.removeAll();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long user = threads.getCurrentThreadUserTime();
    long cpu = threads.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    PlanFollower.apply(site.plane, site.plan);
    String load = "load-" + site.size + suffix;
    report.add(round, WHO, load, "ms", (System.nanoTime() - start) / MILLIS);
    // Of the whole the part that is ours and not the kernel's.
    report.add(round, WHO, load, "user_ms", (threads.getCurrentThreadUserTime() - user) / MILLIS);
    report.add(round, WHO, load, "cpu_ms", (threads.getCurrentThreadCpuTime() - cpu) / MILLIS);
    start = System.nanoTime();
    int writes = PlanFollower.reconcile(site.plane, site.plan).writes();
    report.add(
        round, WHO, "read-back-" + site.size + suffix, "ms", (System.nanoTime() - start) / MILLIS);
    require(writes == 0, "reading back " + site.size + " services wrote " + writes);
  }

  /// Gives a way from the plan to another and back.
  private interface Change {
    List<UnaryOperator<Plan>> steps(int number);
  }

  private List<UnaryOperator<Plan>> endpoint(int number) {
    return List.of(
        plan -> plan.with(SyntheticServices.service(number, 400_000)),
        plan -> plan.with(SyntheticServices.service(number, 3 * number + 2)));
  }

  private List<UnaryOperator<Plan>> service(int number) {
    return List.of(
        plan -> plan.without(SyntheticServices.name(number)),
        plan -> plan.with(SyntheticServices.service(number, 3 * number + 2)));
  }

  private double changed(int round, Site site, String what, int changes, Change change) {
    double[] times = new double[2 * changes];
    Plan plan = site.plan;
    for (int i = 0; i < changes; i++) {
      int number = (int) ((long) i * site.size / changes);
      List<UnaryOperator<Plan>> steps = change.steps(number);
      for (int step = 0; step < steps.size(); step++) {
        plan = steps.get(step).apply(plan);
        long start = System.nanoTime();
        int writes = PlanFollower.apply(site.plane, plan).writes();
        times[2 * i + step] = (System.nanoTime() - start) / MICROS;
        require(writes > 0, what + " wrote nothing");
      }
    }
    Samples samples = new Samples(times);
    report.add(round, WHO, what, "p50_us", samples.quantile(0.5));
    report.add(round, WHO, what, "p99_us", samples.quantile(0.99));
    if (round == 0) {
      report.add(round, WHO, what, "first_us", times[0]);
    }
    return samples.quantile(0.5);
  }

  private static void check(Site site) {
    int writes = PlanFollower.reconcile(site.plane, site.plan).writes();
    require(writes == 0, "the table of " + site.size + " services differs by " + writes);
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise);
    }
  }

  private void close() {
    for (Site site : sites) {
      site.plane.close();
      site.namespace.delete();
    }
  }
}
