package io.fairlead.bench.userspace;

import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What the relay of the userspace mode costs (D5), against HAProxy and nginx as stream proxies,
/// and how evenly it spreads (D6). All contestants run at once, each in the node's namespace on the
/// second core; the client and the pod have the first. They are visited in turn.
///
/// Arguments: `[--smoke] [--check] [rounds]`; 7 rounds when left out. Needs root. Contestants that
/// are not installed are skipped.
public final class UserspaceBench {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("D5", "exchange", "p50_to_haproxy", 1.10),
          Goal.atMost("D5", "kept", "p50_to_haproxy", 1.05),
          Goal.atLeast("D5", "bulk", "rate_to_haproxy", 0.9),
          Goal.atMost("D6", "spread", "most_less_least", 1));

  /// How much is measured in a round.
  private record Size(int exchanges, int kept, int megabytes, int spread) {}

  private static final Size FULL = new Size(3_000, 10_000, 512, 100_000);
  private static final Size SMALL = new Size(20, 50, 4, 300);

  private final Report report;
  private final UserspaceTestbed bed;
  private final Size size;

  private UserspaceBench(Report report, UserspaceTestbed bed, Size size) {
    this.report = report;
    this.bed = bed;
    this.size = size;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    int rounds = call.rounds(7);
    Report report = call.report(GOALS);
    Path directory = Files.createTempDirectory("fairlead-userspace-bench");
    UserspaceTestbed bed = new UserspaceTestbed("flu" + ProcessHandle.current().pid());
    List<RelayUnderTest> contestants = new ArrayList<>();
    // Also when the run is interrupted; closing twice is fine.
    Tasks.atExit("clean-up", () -> end(bed, contestants, directory));
    contestants.addAll(contestants(bed, directory));
    firstCore();
    UserspaceBench bench = new UserspaceBench(report, bed, smoke ? SMALL : FULL);
    bench.run(rounds, contestants, smoke);
    call.exit(report.table(RelayUnderTest.OURS));
  }

  private static void end(UserspaceTestbed bed, List<RelayUnderTest> contestants, Path directory) {
    contestants.forEach(RelayUnderTest::close);
    bed.close();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Collections.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      System.err.println("left behind: " + directory);
    }
  }

  private static List<RelayUnderTest> contestants(UserspaceTestbed bed, Path directory)
      throws IOException {
    List<RelayUnderTest> all = new ArrayList<>();
    all.add(RelayUnderTest.direct());
    all.add(RelayUnderTest.ours(bed));
    RelayUnderTest.haproxy(bed, directory)
        .ifPresentOrElse(all::add, () -> System.out.println("haproxy is not installed: skipped"));
    RelayUnderTest.nginx(bed, directory)
        .ifPresentOrElse(
            all::add, () -> System.out.println("nginx with stream is not installed: skipped"));
    return all;
  }

  private static void firstCore() {
    if (Runtime.getRuntime().availableProcessors() > 1) {
      CommandRunner.Result _ =
          CommandRunner.here(LIMIT)
              .run(
                  "",
                  List.of("taskset", "-apc", "0", Long.toString(ProcessHandle.current().pid())));
    }
  }

  private void run(int rounds, List<RelayUnderTest> contestants, boolean smoke) {
    // Warm before the first round; what the first connections cost is a figure of its own.
    for (RelayUnderTest each : contestants) {
      inClient(
          probe -> {
            probe.awaitListening(socket(each, each.echo()), LIMIT);
            Samples cold = probe.exchanges(socket(each, each.echo()), smoke ? 1 : 20);
            report.add(0, each.name(), "exchange-cold", "p50_us", cold.quantile(0.5));
            if (!smoke) {
              Samples _ = probe.exchanges(socket(each, each.echo()), 15_000);
              Samples _ = probe.kept(socket(each, each.echo()), 30_000);
              double _ = probe.bulk(socket(each, each.sink()), size.megabytes());
            }
          });
    }
    for (int round = 1; round <= rounds; round++) {
      round(round, contestants);
    }
    for (RelayUnderTest each : contestants) {
      if (each.spread() != 0) {
        spread(rounds, each);
      }
    }
  }

  private void round(int round, List<RelayUnderTest> contestants) {
    Map<String, double[]> figures = new HashMap<>();
    for (RelayUnderTest each : contestants) {
      inClient(
          probe -> {
            Samples exchanges = probe.exchanges(socket(each, each.echo()), size.exchanges());
            Samples kept = probe.kept(socket(each, each.echo()), size.kept());
            double rate = probe.bulk(socket(each, each.sink()), size.megabytes());
            report.add(round, each.name(), "exchange", "p50_us", exchanges.quantile(0.5));
            report.add(round, each.name(), "exchange", "p99_us", exchanges.quantile(0.99));
            report.add(round, each.name(), "kept", "p50_us", kept.quantile(0.5));
            report.add(round, each.name(), "kept", "p99_us", kept.quantile(0.99));
            report.add(round, each.name(), "bulk", "mb_per_second", rate);
            figures.put(
                each.name(), new double[] {exchanges.quantile(0.5), kept.quantile(0.5), rate});
          });
    }
    double[] ours = figures.get(RelayUnderTest.OURS);
    for (String other : List.of("haproxy", "nginx")) {
      double[] theirs = figures.get(other);
      if (ours != null && theirs != null) {
        String to = "_to_" + other;
        report.add(round, RelayUnderTest.OURS, "exchange", "p50" + to, ours[0] / theirs[0]);
        report.add(round, RelayUnderTest.OURS, "kept", "p50" + to, ours[1] / theirs[1]);
        report.add(round, RelayUnderTest.OURS, "bulk", "rate" + to, ours[2] / theirs[2]);
      }
    }
  }

  private void spread(int round, RelayUnderTest contestant) {
    Map<InetAddress, Integer> _ = bed.takeServed();
    inClient(
        probe -> {
          Samples _ = probe.exchanges(socket(contestant, contestant.spread()), size.spread());
        });
    Map<InetAddress, Integer> served = bed.takeServed();
    int sum = served.values().stream().mapToInt(Integer::intValue).sum();
    if (sum != size.spread() || served.size() != UserspaceTestbed.PODS.size()) {
      throw new IllegalStateException("not every connection reached an endpoint: " + served);
    }
    int apart = Collections.max(served.values()) - Collections.min(served.values());
    report.add(round, contestant.name(), "spread", "most_less_least", apart);
  }

  private static InetSocketAddress socket(RelayUnderTest contestant, int port) {
    return new InetSocketAddress(contestant.address(), port);
  }

  private interface Measured {
    void by(RelayProbe probe) throws IOException;
  }

  private void inClient(Measured what) {
    bed.client()
        .call(
            () -> {
              what.by(new RelayProbe());
              return true;
            });
  }
}
