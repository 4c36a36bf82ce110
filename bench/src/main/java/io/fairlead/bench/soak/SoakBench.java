package io.fairlead.bench.soak;

import io.fairlead.bench.endtoend.BenchMachine;
import io.fairlead.bench.endtoend.FairleadUp;
import io.fairlead.bench.endtoend.HostnameDeployment;
import io.fairlead.bench.endtoend.ResourceUsage;
import io.fairlead.bench.endtoend.ServiceClients;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Everything of `fairlead up`, for minutes: Services and pods come, go, are scaled and replaced,
/// while clients ask one Service all the time. No question may go unanswered, and in the end
/// nothing may have grown: memory, threads, descriptors, elements of the rules, tracked
/// connections.
///
/// What is held is counted twice at rest, after a first part that is not counted and at the end.
///
/// As root, on a machine of its own. Arguments: `[--smoke] [--check] [minutes]`, and after the
/// minutes flags of `up`, such as `--proxy-mode=iptables`.
public final class SoakBench {
  private static final String WHO = "fairlead";

  /// Events are kept for an hour otherwise: what they need would grow from the first minute to the
  /// last, and hide what should not.
  private static final String EVENT_LIFE = "--event-ttl=1m";

  private static final int MINUTES = 10;
  private static final int REPLICAS = 4;
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("lost", "requests", "lost", 0),
          Goal.atMost("memory", "growth", "rss_ratio", 1.1),
          Goal.atMost("memory", "growth", "heap_ratio", 1.1),
          Goal.atMost("threads", "growth", "threads", 3),
          Goal.atMost("descriptors", "growth", "descriptors", 5),
          Goal.atMost("rules", "growth", "nft_elements", 0),
          Goal.atMost("conntrack", "growth", "conntrack", 200));

  private final Report report;
  private final FairleadUp everything;
  private final NetworkNamespace client;
  private final Plan plan;
  private int cycles;

  /// How long and how hard.
  ///
  /// @param warm before anything is counted
  /// @param rest without clients, before what is held is counted
  /// @param rate new connections in a second
  /// @param kept connections
  private record Plan(Duration warm, Duration soak, Duration rest, int rate, int kept) {
    static Plan smoke() {
      return new Plan(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO, 50, 5);
    }

    /// The store keeps a history of five to six minutes: before it is full, what is held grows.
    static Plan minutes(int minutes) {
      return new Plan(
          Duration.ofMinutes(6), Duration.ofMinutes(minutes), Duration.ofSeconds(30), 300, 30);
    }
  }

  private SoakBench(Report report, FairleadUp everything, NetworkNamespace client, Plan plan) {
    this.report = report;
    this.everything = everything;
    this.client = client;
    this.plan = plan;
  }

  public static void main(String[] words) throws Exception {
    List<String> arguments = List.of(words);
    Optional<NetworkNamespace> client = BenchMachine.client();
    if (client.isEmpty()) {
      System.exit(BenchMachine.run(SoakBench.class, arguments));
    }
    boolean smoke = arguments.contains("--smoke");
    int minutes =
        arguments.stream()
            .filter(word -> word.matches("\\d+"))
            .mapToInt(Integer::parseInt)
            .findFirst()
            .orElse(MINUTES);
    List<String> flags =
        new ArrayList<>(
            arguments.stream()
                .filter(
                    word -> word.startsWith("--") && !List.of("--smoke", "--check").contains(word))
                .toList());
    if (flags.stream().noneMatch(flag -> flag.startsWith("--event-ttl"))) {
      flags.add(EVENT_LIFE);
    }
    Report report = new Report(System.out, smoke ? List.of() : GOALS);
    long lost;
    try (FairleadUp everything = FairleadUp.up(flags)) {
      lost =
          new SoakBench(
                  report, everything, client.get(), smoke ? Plan.smoke() : Plan.minutes(minutes))
              .run();
    }
    boolean met = report.table(WHO);
    System.exit((lost > 0 && !smoke) || (arguments.contains("--check") && !met) ? 1 : 0);
  }

  /// @return how many questions were lost, also in the part that is not counted
  private long run() throws IOException {
    HostnameDeployment web = new HostnameDeployment(everything.client(), "web", "10.96.1.175");
    web.create(REPLICAS);
    web.awaitRolledOut();
    long lost = 0;
    if (plan.warm().isPositive()) {
      lost += soak(0, web, plan.warm());
    }
    ResourceUsage before = rest(1, "begin");
    lost += soak(1, web, plan.soak());
    ResourceUsage after = rest(1, "end");
    grown(before, after);
    return lost;
  }

  private ResourceUsage rest(int round, String what) throws IOException {
    LockSupport.parkNanos(plan.rest().toNanos());
    long process = everything.process();
    ResourceUsage vitals =
        plan.rest().isPositive() ? ResourceUsage.atRest(process) : ResourceUsage.of(process);
    vitals.figures().forEach((figure, value) -> report.add(round, WHO, what, figure, value));
    return vitals;
  }

  private void grown(ResourceUsage before, ResourceUsage after) {
    report.add(
        1, WHO, "growth", "rss_ratio", after.residentMegabytes() / before.residentMegabytes());
    report.add(1, WHO, "growth", "heap_ratio", after.heapMegabytes() / before.heapMegabytes());
    for (String figure : List.of("threads", "descriptors", "nft_elements", "conntrack")) {
      report.add(
          1,
          WHO,
          "growth",
          figure,
          after.figures().getOrDefault(figure, 0.0) - before.figures().getOrDefault(figure, 0.0));
    }
  }

  private long soak(int round, HostnameDeployment web, Duration time) throws IOException {
    ServiceClients clients = new ServiceClients(client, web);
    long start = System.nanoTime();
    long minute = start;
    int before = cycles;
    clients.start(plan.rate(), plan.kept());
    try {
      do {
        cycle(clients, web);
        if (System.nanoTime() - minute > TimeUnit.MINUTES.toNanos(1)) {
          minute = System.nanoTime();
          ResourceUsage.of(everything.process())
              .figures()
              .forEach((figure, value) -> report.add(round, WHO, "during", figure, value));
        }
      } while (System.nanoTime() - start < time.toNanos());
    } finally {
      clients.close();
      clients.losses().forEach(System.err::println);
    }
    ServiceClients.Counts counts = clients.counts();
    String what = round == 0 ? "warm-up" : "requests";
    double seconds = (System.nanoTime() - start) / 1e9;
    report.add(round, WHO, what, "seconds", seconds);
    report.add(round, WHO, what, "new", counts.asked());
    report.add(round, WHO, what, "kept", counts.kept());
    report.add(round, WHO, what, "reopened", counts.reopened());
    report.add(round, WHO, what, "roll-outs", cycles - before);
    report.add(round, WHO, what, "lost", counts.lost());
    if (counts.asked() == 0 || counts.kept() == 0) {
      throw new IllegalStateException("nobody was answered: " + clients.losses());
    }
    return counts.lost();
  }

  /// One of each: all pods replaced, more and fewer of them, another Service with pods that comes,
  /// answers and goes, and some without pods.
  private void cycle(ServiceClients clients, HostnameDeployment web) {
    cycles++;
    clients.phase("rolling out, cycle " + cycles);
    web.restart(cycles);
    web.awaitRolledOut();
    clients.phase("scaling, cycle " + cycles);
    web.scale(REPLICAS + 2);
    web.awaitRolledOut();
    web.scale(REPLICAS);
    web.awaitRolledOut();
    clients.phase("others come and go, cycle " + cycles);
    HostnameDeployment other = new HostnameDeployment(everything.client(), "other", "10.96.1.176");
    other.create(2);
    other.awaitRolledOut();
    for (int i = 0; i < 5; i++) {
      new HostnameDeployment(everything.client(), "empty-" + i, "10.96.2." + (i + 1)).create(0);
    }
    other.awaitAnswer(client);
    other.delete();
    for (int i = 0; i < 5; i++) {
      new HostnameDeployment(everything.client(), "empty-" + i, "10.96.2." + (i + 1)).delete();
    }
  }
}
