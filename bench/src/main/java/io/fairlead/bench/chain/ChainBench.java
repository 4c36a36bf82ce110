package io.fairlead.bench.chain;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.bench.endtoend.BenchMachine;
import io.fairlead.bench.endtoend.ClusterUnderTest;
import io.fairlead.bench.endtoend.FairleadUp;
import io.fairlead.bench.endtoend.HostnameDeployment;
import io.fairlead.bench.endtoend.OriginalCluster;
import io.fairlead.bench.endtoend.ReadinessGatePod;
import io.fairlead.bench.endtoend.ServiceClients;
import io.fairlead.bench.pods.PodTimes;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The whole way, with all parts running:
/// - from the command on an empty machine to the first answer through a Service, and the memory of
///   everything then (C4);
/// - from a pod that becomes ready, or stops being so, to the first packet that follows it (C1).
///   Counted from the opening of its readiness gate, so the agent's share is in it;
/// - questions lost while a Deployment of ten pods is replaced under load, again and again, by pods
///   without a preStop hook (C2).
/// - from the creation of a pod to the news of its readiness, one pod at a time (C5).
///
/// Where they are found, the originals are put together and measured after it in every round, with
/// fewer changes: kube-proxy takes a second for each. As root, on a machine of its own. Arguments:
/// `[--smoke] [--check] [--compare] [rounds] [roll-outs]`; 3 rounds of 5 roll-outs when left out;
/// `--compare` takes as few changes of ours as of the originals.
public final class ChainBench {
  private static final String WHO = "fairlead";
  private static final String ORIGINALS = "originals";
  private static final String NAMESPACE = "default";
  private static final String POD =
      """
      kind: Pod
      apiVersion: v1
      metadata: {name: %s}
      spec:
        terminationGracePeriodSeconds: 1
        containers: [{name: c, image: fairlead.dev/pause}]
      """;
  private static final String ADDRESS = "10.96.1.175";
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("C1", "ready", "p50_ms", 5),
          Goal.atMost("C1", "ready", "p99_ms", 25),
          Goal.atMost("C2", "roll-out", "lost", 0),
          Goal.atMost("C4", "empty-machine", "first_answer_ms", 2500),
          Goal.atMost("C4", "empty-machine", "rss_mb", 350),
          Goal.atMost("C5", "pod-start", "p50_ms", 300),
          Goal.atMost("C5", "pod-start", "p99_ms", 1500));

  private final Report report;
  private final NetworkNamespace client;
  private final Size size;

  /// How much of it.
  ///
  /// @param turns times that a pod becomes ready and unready
  /// @param pods of the Deployment
  /// @param rate new connections in a second
  /// @param kept connections
  private record Size(int rounds, int rollOuts, int turns, int pods, int rate, int kept) {
    static final Size SMOKE = new Size(1, 1, 3, 3, 50, 5);
    static final Size COMPARED = new Size(1, 1, 20, 10, 500, 50);
  }

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
    boolean compare = arguments.contains("--compare");
    Size usual =
        compare
            ? new Size(numbers.isEmpty() ? 1 : rounds, 1, 20, 10, 500, 50)
            : new Size(rounds, rollOuts, 100, 10, 2000, 200);
    Size size = smoke ? Size.SMOKE : usual;
    long lost = new ChainBench(report, client.get(), size).run();
    boolean met = report.table(WHO);
    System.exit(
        (lost > 0 && !smoke && !compare) || (arguments.contains("--check") && !met) ? 1 : 0);
  }

  private long run() throws Exception {
    long lost = 0;
    for (int round = 1; round <= size.rounds(); round++) {
      long begin = System.nanoTime();
      try (FairleadUp everything = FairleadUp.up(List.of())) {
        lost += cluster(round, WHO, begin, everything, size);
      }
      begin = System.nanoTime();
      Optional<ClusterUnderTest> originals = OriginalCluster.start();
      if (originals.isPresent()) {
        try (ClusterUnderTest cluster = originals.get()) {
          long _ =
              cluster(
                  round,
                  ORIGINALS,
                  begin,
                  cluster,
                  size.turns() > Size.COMPARED.turns() ? Size.COMPARED : size);
        }
      }
    }
    return lost;
  }

  /// @return how many questions were lost in roll-outs
  private long cluster(int round, String who, long begin, ClusterUnderTest cluster, Size size)
      throws IOException, InterruptedException {
    HostnameDeployment web = new HostnameDeployment(cluster.client(), "web", ADDRESS);
    web.create(1);
    web.awaitAnswer(client);
    report.add(round, who, "empty-machine", "first_answer_ms", (System.nanoTime() - begin) / 1e6);
    report.add(round, who, "empty-machine", "rss_mb", cluster.residentMegabytes());
    ready(round, who, cluster, size.turns());
    podStart(round, who, cluster.client(), size.turns());
    return rollOut(round, who, web, size);
  }

  /// Pods of no Service, one after the other, each until a watcher sees it ready.
  private void podStart(int round, String who, Client api, int count) throws InterruptedException {
    double[] times = new double[count];
    try (PodTimes seen = new PodTimes(api)) {
      for (int i = 0; i < count; i++) {
        String name = "start-" + i;
        ObjectNode pod = (ObjectNode) Yaml.parse(POD.formatted(name));
        long begin = System.nanoTime();
        api.create(ResourceType.PODS, NAMESPACE, pod);
        times[i] = (seen.ready(name) - begin) / 1e6;
        api.delete(ResourceType.PODS, new ObjectKey(NAMESPACE, name), DeleteOptions.DEFAULT);
      }
    }
    add(round, who, "pod-start", times);
  }

  private void ready(int round, String who, ClusterUnderTest cluster, int turns) {
    ReadinessGatePod gate = new ReadinessGatePod(cluster.client(), client);
    gate.create();
    double[] ready = new double[turns];
    double[] gone = new double[turns];
    for (int i = 0; i < turns; i++) {
      gone[i] = gate.turn(false);
      ready[i] = gate.turn(true);
    }
    add(round, who, "ready", ready);
    add(round, who, "gone", gone);
    gate.delete();
  }

  private void add(int round, String who, String what, double[] times) {
    Samples samples = new Samples(times);
    report.add(round, who, what, "p50_ms", samples.quantile(0.5));
    report.add(round, who, what, "p99_ms", samples.quantile(0.99));
  }

  private long rollOut(int round, String who, HostnameDeployment web, Size size) {
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
    report.add(round, who, "roll-out", "seconds", seconds / size.rollOuts());
    report.add(round, who, "roll-out", "new_per_second", counts.asked() / seconds);
    report.add(round, who, "roll-out", "requests", counts.asked() + counts.kept());
    report.add(round, who, "roll-out", "reopened", counts.reopened());
    report.add(round, who, "roll-out", "lost", counts.lost());
    return counts.lost();
  }
}
