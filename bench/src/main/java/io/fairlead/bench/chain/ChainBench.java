package io.fairlead.bench.chain;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.endtoend.BenchMachine;
import io.fairlead.bench.endtoend.FairleadUp;
import io.fairlead.bench.endtoend.HostnameDeployment;
import io.fairlead.bench.endtoend.ReadinessGatePod;
import io.fairlead.bench.endtoend.ServiceClients;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.util.List;
import java.util.Optional;

/// The whole way, with all parts running:
/// - from the command on an empty machine to the first answer through a Service, and the memory of
///   everything then (C4);
/// - from a pod that becomes ready, or stops being so, to the first packet that follows it (C1).
///   Counted from the opening of its readiness gate, so the agent's share is in it;
/// - questions lost while a Deployment of ten pods is replaced under load, again and again, by pods
///   without a preStop hook (C2).
///
/// As root, on a machine of its own. Arguments: `[--smoke] [--check] [rounds] [roll-outs]`; 3
/// rounds of 5 roll-outs when left out.
public final class ChainBench {
  private static final String WHO = "fairlead";
  private static final String ADDRESS = "10.96.1.175";
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("C1", "ready", "p50_ms", 5),
          Goal.atMost("C1", "ready", "p99_ms", 25),
          Goal.atMost("C2", "roll-out", "lost", 0),
          Goal.atMost("C4", "empty-machine", "first_answer_ms", 2500),
          Goal.atMost("C4", "empty-machine", "rss_mb", 350));

  private final Report report;
  private final NetworkNamespace client;
  private final Size size;

  /// How much of it.
  ///
  /// @param turns times that a pod becomes ready and unready
  /// @param pods of the Deployment
  /// @param rate new connections in a second
  /// @param kept connections
  private record Size(int rounds, int rollOuts, int turns, int pods, int rate, int kept) {}

  private ChainBench(Report report, NetworkNamespace client, Size size) {
    this.report = report;
    this.client = client;
    this.size = size;
  }

  public static void main(String[] words) throws Exception {
    List<String> arguments = List.of(words);
    Optional<NetworkNamespace> client = BenchMachine.client();
    if (client.isEmpty()) {
      System.exit(BenchMachine.run(ChainBench.class, arguments));
    }
    boolean smoke = arguments.contains("--smoke");
    List<Integer> numbers =
        arguments.stream().filter(word -> word.matches("\\d+")).map(Integer::valueOf).toList();
    int rounds = numbers.isEmpty() ? 3 : numbers.getFirst();
    int rollOuts = numbers.size() < 2 ? 5 : numbers.get(1);
    Report report = new Report(System.out, smoke ? List.of() : GOALS);
    Size size =
        smoke ? new Size(1, 1, 3, 3, 50, 5) : new Size(rounds, rollOuts, 100, 10, 2000, 200);
    long lost = new ChainBench(report, client.get(), size).run();
    boolean met = report.table(WHO);
    System.exit((lost > 0 && !smoke) || (arguments.contains("--check") && !met) ? 1 : 0);
  }

  private long run() throws Exception {
    long lost = 0;
    for (int round = 1; round <= size.rounds(); round++) {
      long begin = System.nanoTime();
      try (FairleadUp everything = FairleadUp.up(List.of())) {
        HostnameDeployment web = new HostnameDeployment(everything.client(), "web", ADDRESS);
        web.create(1);
        web.awaitAnswer(client);
        report.add(
            round, WHO, "empty-machine", "first_answer_ms", (System.nanoTime() - begin) / 1e6);
        report.add(
            round,
            WHO,
            "empty-machine",
            "rss_mb",
            Processes.residentBytes(everything.process()) / 1e6);
        ready(round, everything);
        lost += rollOut(round, web);
      }
    }
    return lost;
  }

  private void ready(int round, FairleadUp everything) {
    ReadinessGatePod gate = new ReadinessGatePod(everything.client(), client);
    gate.create();
    double[] ready = new double[size.turns()];
    double[] gone = new double[size.turns()];
    for (int i = 0; i < size.turns(); i++) {
      gone[i] = gate.turn(false);
      ready[i] = gate.turn(true);
    }
    add(round, "ready", ready);
    add(round, "gone", gone);
    gate.delete();
  }

  private void add(int round, String what, double[] times) {
    Samples samples = new Samples(times);
    report.add(round, WHO, what, "p50_ms", samples.quantile(0.5));
    report.add(round, WHO, what, "p99_ms", samples.quantile(0.99));
  }

  private long rollOut(int round, HostnameDeployment web) {
    web.scale(size.pods());
    web.awaitRolledOut();
    ServiceClients clients = new ServiceClients(client, web);
    clients.start(size.rate(), size.kept());
    long start = System.nanoTime();
    for (int i = 1; i <= size.rollOuts(); i++) {
      clients.phase("rolling out, number " + i);
      web.restart(i);
      web.awaitRolledOut();
    }
    clients.close();
    clients.losses().forEach(System.err::println);
    double seconds = (System.nanoTime() - start) / 1e9;
    ServiceClients.Counts counts = clients.counts();
    report.add(round, WHO, "roll-out", "seconds", seconds / size.rollOuts());
    report.add(round, WHO, "roll-out", "new_per_second", counts.asked() / seconds);
    report.add(round, WHO, "roll-out", "requests", counts.asked() + counts.kept());
    report.add(round, WHO, "roll-out", "reopened", counts.reopened());
    report.add(round, WHO, "roll-out", "lost", counts.lost());
    return counts.lost();
  }
}
