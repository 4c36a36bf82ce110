package io.fairlead.bench.policy;

import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.work.Tasks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What NetworkPolicy costs: a packet, and a change, with few and with many pods and policies (a
/// policy for every five pods), against a chain for each pod and policy in the same run. Before
/// anything is timed, random packets are judged by the oracle and by the table's look-ups: one
/// difference ends the program.
///
/// Arguments: `[--smoke] [--check] [rounds] [pods...]`; 7 rounds of 100, 1,000, 5,000 and 10,000
/// pods when left out. Needs root.
public final class PolicyBench {
  static final String DATA = "data";
  static final String CHAINS = "chains";

  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("PB1", "connect-1000", "p50_over_conntrack", 1.10),
          Goal.atMost("PB1", "connect-10000", "p50_over_smallest", 1.05),
          Goal.atMost("PB2", "exchange-1000", "p50_over_conntrack", 1.05),
          Goal.atMost("PB3", "remote-pod-10000", "p50_us", 10),
          Goal.atMost("PB3", "remote-pod-10000", "p50_over_smallest", 1.2),
          Goal.atMost("PB4", "local-pod-10000", "p50_us", 150),
          Goal.atMost("PB4", "local-pod-10000", "p50_over_smallest", 1.2),
          Goal.atLeast("PB4", "local-pod-1000", "chains_over_data", 5),
          Goal.atMost("PB5", "follow", "p50_ms", 2),
          Goal.atMost("PB5", "follow", "p99_ms", 15),
          Goal.atMost("PB6", "policy-of-100-pods", "p50_ms", 20),
          Goal.atMost("PB7", "load-10000", "ms", 1500),
          Goal.atMost("PB7", "process-10000", "in_force_ms", 1500),
          Goal.atMost("PB8", "process-10000", "resident_mb", 130),
          Goal.atMost("PB10", "sweep-100000", "mean_ms", 500));

  private PolicyBench() {}

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    List<Integer> sizes = new ArrayList<>(call.sizes());
    if (sizes.isEmpty()) {
      sizes.addAll(smoke ? List.of(100) : List.of(100, 1_000, 5_000, 10_000));
    }
    Report report = call.report(GOALS);
    List<AutoCloseable> open = new ArrayList<>();
    Tasks.atExit("clean-up", () -> close(open));
    new RandomPackets(SyntheticPolicies.of(sizes.getLast() > 1_000 ? 1_000 : 100), 1)
        .judge(report, smoke ? 10_000 : 1_000_000);
    int rounds = call.rounds(7);
    new PolicyChanges(report, sizes, smoke ? 20 : 500, open).run(rounds);
    new PolicyPackets(report, sizes, smoke ? 50 : 4_000, open).run(rounds);
    new PolicyFollowing(report, open).run(smoke ? 2 : 100, smoke ? 100 : 100_000);
    new PolicyProcess(report, Path.of(System.getProperty("fairlead.home", ".")), open)
        .run(rounds, sizes.getLast());
    call.exit(report.table(DATA));
  }

  private static void close(List<AutoCloseable> open) {
    for (AutoCloseable each : open.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        System.err.println("closing: " + e.getMessage());
      }
    }
  }
}
