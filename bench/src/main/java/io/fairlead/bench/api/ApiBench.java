package io.fairlead.bench.api;

import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The API server with its store: creates, gets, lists, watches, memory.
///
/// Arguments: `[--smoke] [--check] [rounds]`. `--smoke` is small and quick and only proves the
/// answers; `--check` ends with 1 when a goal is missed.
public final class ApiBench {
  private static final List<Goal> GOALS =
      List.of(
          Goal.atLeast("A1", "create-1", "per_second", 2000),
          Goal.atLeast("A1", "create-16", "per_second", 8000),
          Goal.atMost("A2", "create-full", "ratio", 1.2),
          Goal.atMost("A2", "create-huge", "ratio", 1.2),
          Goal.atLeast("A3", "get-16", "per_second", 20_000),
          Goal.atMost("A4", "list", "ms", 40),
          Goal.atMost("A4", "list-16", "memory_ratio", 1.2),
          Goal.atMost("A5", "watch", "last_p50_ms", 15),
          Goal.atMost("A5", "watch", "last_p99_ms", 40),
          Goal.atMost("A6", "start", "ms", 800),
          Goal.atMost("A6", "empty", "rss_mb", 110),
          Goal.atMost("A6", "full", "rss_mb", 220),
          Goal.atMost("A7", "watch-slow", "p99_ratio", 1.5),
          Goal.atMost("A7", "watch-slow", "mb_each", 1));

  /// How much of everything.
  private record Sizes(
      int creates, int gets, int objects, int huge, int watchers, int slow, int writes) {
    static final Sizes FULL = new Sizes(2000, 20_000, 10_000, 100_000, 1000, 100, 40);
    static final Sizes SMOKE = new Sizes(10, 50, 100, 200, 10, 2, 5);
  }

  private final Contestants contestants;
  private final Report report;
  private final Sizes sizes;

  private ApiBench(Contestants contestants, Report report, Sizes sizes) {
    this.contestants = contestants;
    this.report = report;
    this.sizes = sizes;
  }

  public static void main(String[] words) throws Exception {
    List<String> arguments = List.of(words);
    boolean smoke = arguments.contains("--smoke");
    int rounds =
        arguments.stream()
            .filter(word -> !word.startsWith("-"))
            .mapToInt(Integer::parseInt)
            .findFirst()
            .orElse(smoke ? 1 : 7);
    Path home = Path.of(System.getProperty("fairlead.home", "."));
    Contestants contestants = new Contestants(home, System.getenv());
    Report report = new Report(System.out, smoke ? List.of() : GOALS);
    ApiBench bench = new ApiBench(contestants, report, smoke ? Sizes.SMOKE : Sizes.FULL);
    List<String> names = contestants.names();
    for (int round = 1; round <= rounds; round++) {
      for (String who : names) {
        bench.round(round, who);
      }
    }
    boolean met = report.table("fairlead");
    System.exit(arguments.contains("--check") && !met ? 1 : 0);
  }

  private void round(int round, String who) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-api");
    try {
      long begin = System.nanoTime();
      try (Target target = contestants.start(who, directory)) {
        report.add(round, who, "start", "ms", (System.nanoTime() - begin) / 1e6);
        report.add(round, who, "empty", "rss_mb", target.residentMegabytes());
        measure(round, who, target);
      }
    } finally {
      Processes.delete(directory);
    }
  }

  private void measure(int round, String who, Target target) throws Exception {
    Load load = new Load(target);
    add(round, who, "create-cold", load.create(1, 10));
    // A JVM learns: without this the first thousand would be slower than any later one.
    load.create(16, sizes.creates() / 16);
    Load.Result alone = load.create(1, sizes.creates());
    add(round, who, "create-1", alone);
    add(round, who, "create-16", load.create(16, sizes.creates() / 4));
    add(round, who, "get-16", load.get(16, sizes.gets() / 16));
    int present = 10 + sizes.creates() / 16 * 16 + sizes.creates() + sizes.creates() / 4 * 16;
    int missing = Math.max(16, sizes.objects() - present);
    load.create(16, missing / 16);
    double few = alone.micros().quantile(0.5);
    report.add(round, who, "create-full", "ratio", filled(load) / few);
    lists(round, who, target, load);
    report.add(round, who, "full", "rss_mb", target.residentMegabytes());
    watches(round, who, target);
    load.create(16, Math.max(1, (sizes.huge() - sizes.objects()) / 16));
    report.add(round, who, "create-huge", "ratio", filled(load) / few);
  }

  /// Microseconds for one more object.
  private double filled(Load load) throws Exception {
    return load.create(1, sizes.creates() / 10 + 1).micros().quantile(0.5);
  }

  private void lists(int round, String who, Target target, Load load) throws Exception {
    Load.Result one = load.list(1, 5, sizes.creates());
    report.add(round, who, "list", "ms", one.micros().quantile(0.5) / 1e3);
    double before = target.residentMegabytes();
    load.list(16, 1, sizes.creates());
    report.add(round, who, "list-16", "memory_ratio", target.residentMegabytes() / before);
  }

  private void watches(int round, String who, Target target) throws Exception {
    Samples quick;
    try (Watchers watchers = Watchers.open(target, sizes.watchers(), 0)) {
      quick = watchers.write("a" + round, sizes.writes());
      report.add(round, who, "watch", "last_p50_ms", quick.quantile(0.5));
      report.add(round, who, "watch", "last_p99_ms", quick.quantile(0.99));
    }
    double before = target.residentMegabytes();
    try (Watchers watchers = Watchers.open(target, sizes.watchers(), sizes.slow())) {
      Samples beside = watchers.write("b" + round, sizes.writes());
      double ratio = beside.quantile(0.99) / quick.quantile(0.99);
      report.add(round, who, "watch-slow", "p99_ratio", ratio);
      double grown = Math.max(0, target.residentMegabytes() - before);
      report.add(round, who, "watch-slow", "mb_each", grown / sizes.slow());
    }
  }

  private void add(int round, String who, String what, Load.Result result) {
    report.add(round, who, what, "per_second", result.perSecond());
    report.add(round, who, what, "p50_us", result.micros().quantile(0.5));
    report.add(round, who, what, "p99_us", result.micros().quantile(0.99));
  }
}
