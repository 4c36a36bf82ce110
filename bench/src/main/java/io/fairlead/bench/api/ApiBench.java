package io.fairlead.bench.api;

import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// The API server with its store: creates, gets, lists, watches, memory.
///
/// Arguments: `[--smoke] [--check] [--compare] [rounds] [part...]`. `--smoke` is small and quick
/// and only proves the answers; `--check` ends with 1 when a goal is missed; `--compare` takes what
/// tells our server from the original; parts are those of [Part], all unless some are named.
public final class ApiBench {
  /// What can be measured alone, on a server that has done nothing but warm up.
  private enum Part {
    CREATE,
    GET,
    LIST,
    WATCH,
    HUGE;

    static Set<Part> of(List<String> words) {
      Set<Part> named = EnumSet.noneOf(Part.class);
      for (Part part : values()) {
        if (words.contains(part.name().toLowerCase(Locale.ROOT))) {
          named.add(part);
        }
      }
      return named.isEmpty() ? EnumSet.allOf(Part.class) : named;
    }
  }

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
  ///
  /// @param warm creates before anything is measured: a JVM learns, and what it learns first is a
  ///   figure of its own, `create-cold`
  /// @param few creates on a nearly empty server
  private record Sizes(
      int warm,
      int few,
      int creates,
      int objects,
      int huge,
      int watchers,
      int slow,
      int writes,
      int seconds,
      int rest) {
    static final Sizes FULL = new Sizes(30_000, 300, 2000, 10_000, 100_000, 1000, 100, 100, 5, 8);

    /// Of what tells two servers apart, in four minutes for both.
    static final Sizes COMPARED = new Sizes(10_000, 300, 500, 10_000, 0, 1000, 0, 60, 5, 8);

    static final Sizes SMOKE = new Sizes(16, 10, 10, 100, 200, 10, 2, 5, 1, 0);
  }

  private final ApiServerLauncher contestants;
  private final Report report;
  private final Sizes sizes;
  private final boolean wrk;
  private final Set<Part> parts;

  private ApiBench(
      ApiServerLauncher contestants, Report report, Sizes sizes, boolean wrk, Set<Part> parts) {
    this.contestants = contestants;
    this.report = report;
    this.sizes = sizes;
    this.wrk = wrk;
    this.parts = Set.copyOf(parts);
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    int rounds = call.rounds(7);
    Path home = Path.of(System.getProperty("fairlead.home", "."));
    ApiServerLauncher contestants = new ApiServerLauncher(home);
    boolean compare = call.words().contains("--compare");
    Report report = call.report(compare ? List.of() : GOALS);
    boolean wrk = Wrk.isInstalled(System.getenv());
    if (!wrk) {
      System.err.println(
          "wrk is not installed: the load comes from this JVM, which costs more than the server");
    }
    Sizes sizes = smoke ? Sizes.SMOKE : compare ? Sizes.COMPARED : Sizes.FULL;
    ApiBench bench = new ApiBench(contestants, report, sizes, wrk, Part.of(call.words()));
    List<String> names = contestants.names();
    for (int round = 1; round <= rounds; round++) {
      for (String who : names) {
        bench.round(round, who);
      }
    }
    call.exit(report.table("fairlead"));
  }

  private void round(int round, String who) throws Exception {
    if (parts.contains(Part.CREATE)) {
      cold(round, who);
    }
    Path directory = Files.createTempDirectory("fairlead-bench-api");
    try {
      long begin = System.nanoTime();
      try (ApiServerUnderTest target = contestants.start(who, directory)) {
        report.add(round, who, "start", "ms", (System.nanoTime() - begin) / 1e6);
        report.add(round, who, "start", "cpu_ms", target.cpuSeconds() * 1e3);
        // What compilers needed for the start is given back after a while of rest.
        TimeUnit.SECONDS.sleep(sizes.rest());
        report.add(round, who, "empty", "rss_mb", target.residentMegabytes());
        LoadGenerator clients = wrk ? new Wrk(target, directory) : new JvmLoadGenerator(target);
        measure(round, who, target, clients);
      }
    } finally {
      Processes.delete(directory);
    }
  }

  /// What a server does first, on one of its own: the first ten creates, then the seconds after.
  private void cold(int round, String who) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-api");
    try (ApiServerUnderTest target = contestants.start(who, directory)) {
      JvmLoadGenerator load = new JvmLoadGenerator(target);
      add(round, who, "create-cold", load.create(1, 10, false));
      LoadGenerator clients = wrk ? new Wrk(target, directory) : load;
      for (int count : List.of(1, 16)) {
        double cpu = target.cpuSeconds();
        LoadGenerator.Result first = clients.createFor(count, sizes.seconds());
        double micros = (target.cpuSeconds() - cpu) * 1e6 / sizes.seconds() / first.perSecond();
        add(round, who, "create-first-" + count, first);
        report.add(round, who, "create-first-" + count, "cpu_us", micros);
      }
    } finally {
      Processes.delete(directory);
    }
  }

  private void measure(int round, String who, ApiServerUnderTest target, LoadGenerator clients)
      throws Exception {
    JvmLoadGenerator load = new JvmLoadGenerator(target);
    // Everything but the commit, so that the server is still nearly empty afterwards.
    clients.create(16, sizes.warm(), true);
    clients.create(16, sizes.few(), false);
    double few = clients.create(1, sizes.few(), false).p50();
    if (parts.contains(Part.CREATE)) {
      add(round, who, "create-1", clients.create(1, sizes.creates(), false));
    }
    if (parts.contains(Part.CREATE) || parts.contains(Part.LIST)) {
      fill(round, who, target, clients, load, few);
    }
    if (parts.contains(Part.GET)) {
      String one = JvmLoadGenerator.SERVICES + "/kubernetes";
      double cpu = target.cpuSeconds();
      LoadGenerator.Result gets = clients.get(16, sizes.seconds(), one);
      add(round, who, "get-16", gets);
      double micros = (target.cpuSeconds() - cpu) * 1e6 / sizes.seconds() / gets.perSecond();
      report.add(round, who, "get-16", "cpu_us", micros);
    }
    if (parts.contains(Part.LIST)) {
      lists(round, who, target, clients, load, load.count());
    }
    if (parts.contains(Part.WATCH)) {
      watches(round, who, target);
    }
    if (parts.contains(Part.HUGE) && sizes.huge() > 0) {
      clients.create(16, Math.max(16, sizes.huge() - load.count()), false);
      double huge = clients.create(1, sizes.few(), false).p50();
      report.add(round, who, "create-huge", "ratio", huge / few);
    }
  }

  /// Brings the server to its full size.
  private void fill(
      int round,
      String who,
      ApiServerUnderTest target,
      LoadGenerator clients,
      JvmLoadGenerator load,
      double few)
      throws Exception {
    int missing = Math.max(16, sizes.objects() - load.count());
    add(round, who, "create-16", timed(target, "create-16", round, who, clients, missing));
    report.add(round, who, "full", "rss_mb", target.residentMegabytes());
    double filled = clients.create(1, sizes.few(), false).p50();
    report.add(round, who, "create-full", "ratio", filled / few);
  }

  /// Creates, and what they cost the server.
  private LoadGenerator.Result timed(
      ApiServerUnderTest target,
      String what,
      int round,
      String who,
      LoadGenerator clients,
      int count)
      throws Exception {
    double before = target.cpuSeconds();
    LoadGenerator.Result result = clients.create(16, count, false);
    double micros = (target.cpuSeconds() - before) * 1e6 / count;
    report.add(round, who, what, "cpu_us", micros);
    return result;
  }

  private void lists(
      int round,
      String who,
      ApiServerUnderTest target,
      LoadGenerator clients,
      JvmLoadGenerator load,
      int atLeast)
      throws Exception {
    String all = "/api/v1/services";
    clients.get(1, sizes.seconds(), all);
    target.forgetPeak();
    LoadGenerator.Result one = clients.get(1, sizes.seconds(), all);
    report.add(round, who, "list", "ms", one.p50() / 1e3);
    double alone = target.peakMegabytes();
    target.forgetPeak();
    clients.get(16, sizes.seconds(), all);
    report.add(round, who, "list-16", "memory_ratio", target.peakMegabytes() / alone);
    int found = load.count();
    if (found < atLeast) {
      throw new IllegalStateException("a list of " + found + ", expected at least " + atLeast);
    }
  }

  private void watches(int round, String who, ApiServerUnderTest target) throws Exception {
    try (Watchers watchers = Watchers.open(target, sizes.watchers())) {
      watchers.write("warm" + round, sizes.writes());
      double cpu = target.cpuSeconds();
      Samples quick = watchers.write("a" + round, sizes.writes());
      double micros = (target.cpuSeconds() - cpu) * 1e6 / sizes.writes() / sizes.watchers();
      report.add(round, who, "watch", "cpu_us", micros);
      report.add(round, who, "watch", "last_p50_ms", quick.quantile(0.5));
      report.add(round, who, "watch", "last_p99_ms", quick.quantile(0.99));
      if (sizes.slow() == 0) {
        return;
      }
      double before = target.residentMegabytes();
      watchers.addSlow(sizes.slow());
      Samples beside = watchers.write("b" + round, sizes.writes());
      double ratio = beside.quantile(0.99) / quick.quantile(0.99);
      report.add(round, who, "watch-slow", "p99_ratio", ratio);
      double grown = Math.max(0, target.residentMegabytes() - before);
      report.add(round, who, "watch-slow", "mb_each", grown / sizes.slow());
    }
  }

  private void add(int round, String who, String what, LoadGenerator.Result result) {
    report.add(round, who, what, "per_second", result.perSecond());
    report.add(round, who, what, "p50_us", result.p50());
    report.add(round, who, what, "p99_us", result.p99());
  }
}
