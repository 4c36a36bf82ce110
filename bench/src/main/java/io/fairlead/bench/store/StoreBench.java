package io.fairlead.bench.store;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// Measures the store by the rules of BENCH.md: contestants in turn in every round, ratios inside a
/// round, JSON lines on standard output, a table at the end.
///
/// Arguments: `[rounds] [objects to reopen]`; 7 and 100,000 when left out.
public final class StoreBench {
  private static final int[] WRITERS = {1, 16, 64};
  private static final int VALUE_BYTES = 1200;
  private static final long ROUND_NANOS = 2_000_000_000L;

  private final PrintStream out;
  private final int rounds;
  private final Map<String, List<Double>> figures = new TreeMap<>();

  private StoreBench(PrintStream out, int rounds) {
    this.out = out;
    this.rounds = rounds;
  }

  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
    int objects = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    StoreBench bench = new StoreBench(System.out, rounds);
    bench.commits();
    new ReopenBench(bench::line, rounds).run(objects);
    bench.table();
  }

  private void commits() throws Exception {
    List<Contestant> contestants = new ArrayList<>();
    contestants.add(new EmbeddedContestant());
    contestants.add(new FloorContestant());
    for (int round = 0; round <= rounds; round++) {
      for (int writers : WRITERS) {
        for (Contestant contestant : contestants) {
          // Round 0 is the cold one: a figure of its own, in no median.
          measure(round, contestant, writers);
        }
      }
    }
  }

  private void measure(int round, Contestant contestant, int writers) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-store");
    try {
      contestant.start(directory);
      long[] micros;
      double seconds;
      try (contestant) {
        long begin = System.nanoTime();
        micros = drive(contestant, writers, begin + ROUND_NANOS);
        seconds = (System.nanoTime() - begin) / 1e9;
        if (contestant.count() < micros.length) {
          throw new IllegalStateException(contestant.name() + " lost writes: the round is void");
        }
      }
      Arrays.sort(micros);
      String what = "commits-" + writers;
      line(round, contestant.name(), what, "per_second", micros.length / seconds);
      line(round, contestant.name(), what, "p50_us", micros[micros.length / 2]);
      line(round, contestant.name(), what, "p99_us", micros[micros.length * 99 / 100]);
    } finally {
      delete(directory);
    }
  }

  private static long[] drive(Contestant contestant, int writers, long until) throws Exception {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) 'x');
    List<List<Long>> latencies = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    AtomicInteger failed = new AtomicInteger();
    for (int w = 0; w < writers; w++) {
      String prefix = "/registry/services/specs/default/writer-" + w + "-";
      List<Long> own = new ArrayList<>();
      latencies.add(own);
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; System.nanoTime() < until; i++) {
                        long begin = System.nanoTime();
                        contestant.write(prefix + i, value);
                        own.add((System.nanoTime() - begin) / 1000);
                      }
                    } catch (Exception e) {
                      failed.incrementAndGet();
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failed.get() > 0) {
      throw new IllegalStateException(contestant.name() + ": a write failed, the round is void");
    }
    return latencies.stream().flatMap(List::stream).mapToLong(Long::longValue).toArray();
  }

  void line(int round, String who, String what, String figure, double value) {
    out.printf(
        Locale.ROOT,
        "{\"round\":%d,\"who\":\"%s\",\"what\":\"%s\",\"figures\":{\"%s\":%.1f}}%n",
        round,
        who,
        what,
        figure,
        value);
    if (round > 0) {
      figures.computeIfAbsent(what + " " + figure + " | " + who, _ -> new ArrayList<>()).add(value);
    }
  }

  private void table() throws IOException {
    String load = Files.readString(Path.of("/proc/loadavg")).strip();
    out.println();
    out.println("load " + load);
    out.println();
    out.println("| what | who | median | best | ratio to append+force, median of rounds |");
    out.println("|---|---|---|---|---|");
    figures.forEach(
        (name, values) -> {
          String what = name.substring(0, name.indexOf(" | "));
          List<Double> floor = figures.getOrDefault(what + " | append+force", List.of());
          List<Double> ratios = new ArrayList<>();
          for (int i = 0; i < Math.min(values.size(), floor.size()); i++) {
            ratios.add(values.get(i) / floor.get(i));
          }
          boolean more = what.contains("per_second");
          double best = values.stream().sorted(order(more)).findFirst().orElse(0.0);
          out.printf(
              Locale.ROOT,
              "| %s | %.1f | %.1f | %s |%n",
              name,
              median(values),
              best,
              ratios.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", median(ratios)));
        });
  }

  private static Comparator<Double> order(boolean more) {
    return more ? Comparator.reverseOrder() : Comparator.naturalOrder();
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
