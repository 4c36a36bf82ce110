package io.fairlead.bench.store;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.work.Tasks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What the store costs: durable commits by 1, 16 and 64 writers against etcd and against the bare
/// disk, and opening a store with many objects. Contestants take turns in every round. Every run is
/// read back: one that lost or changed a value is void and ends the program.
///
/// Arguments: `[--smoke] [--check] [rounds] [objects to reopen]`; 7 and 100,000 when left out.
public final class StoreBench {
  private static final int[] WRITERS = {1, 16, 64};
  private static final int VALUE_BYTES = 1200;
  private static final List<Goal> GOALS =
      List.of(
          Goal.atLeast("A1", "commits-1", "per_second", 2000),
          Goal.atLeast("A1", "commits-16", "per_second", 8000),
          Goal.atMost("A6", "reopen-10000", "ms", 800),
          Goal.atMost("A6", "reopen-killed-10000", "ms", 800));

  private final Report report;
  private final long roundNanos;

  private StoreBench(Report report, long roundNanos) {
    this.report = report;
    this.roundNanos = roundNanos;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    int rounds = call.rounds(7);
    int objects = call.sizes().stream().findFirst().orElse(smoke ? 2000 : 100_000);
    Report report = new Report(System.out, GOALS);
    StoreBench bench = new StoreBench(report, TimeUnit.MILLISECONDS.toNanos(smoke ? 200 : 2000));
    bench.commits(rounds, !smoke);
    ReopenBench reopen = new ReopenBench(report, rounds);
    if (!smoke) {
      reopen.run(10_000);
    }
    reopen.run(objects);
    call.exit(report.table("embedded"));
  }

  private void commits(int rounds, boolean warmUp) throws Exception {
    List<StoreUnderTest> contestants = new ArrayList<>();
    contestants.add(EngineUnderTest.embedded());
    contestants.add(new AppendFsyncBaseline());
    if (EngineUnderTest.etcdIsInstalled()) {
      contestants.add(EngineUnderTest.etcd());
    } else {
      System.err.println("etcd is not measured: apt-get install etcd-server");
    }
    for (int round = warmUp ? 0 : 1; round <= rounds; round++) {
      for (int writers : WRITERS) {
        for (StoreUnderTest contestant : contestants) {
          // Round 0 is the cold one: a figure of its own, in no median.
          measure(round, contestant, writers, "commits-" + writers + (round == 0 ? "-cold" : ""));
        }
      }
    }
  }

  private void measure(int round, StoreUnderTest contestant, int writers, String what)
      throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-store");
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) 'x');
    try {
      contestant.start(directory);
      double[] micros;
      double seconds;
      try (contestant) {
        long begin = System.nanoTime();
        micros = drive(contestant, writers, value, begin + roundNanos);
        seconds = (System.nanoTime() - begin) / 1e9;
        long found = contestant.count(value);
        if (found != micros.length) {
          throw new IllegalStateException(
              contestant.name() + " has " + found + " of " + micros.length + " values");
        }
      }
      Samples samples = new Samples(micros);
      report.add(round, contestant.name(), what, "per_second", micros.length / seconds);
      report.add(round, contestant.name(), what, "p50_us", samples.quantile(0.5));
      report.add(round, contestant.name(), what, "p99_us", samples.quantile(0.99));
    } finally {
      Processes.delete(directory);
    }
  }

  /// Lets the writers write until the time is over.
  ///
  /// @return what each write took, in microseconds
  private static double[] drive(StoreUnderTest contestant, int writers, byte[] value, long until)
      throws InterruptedException {
    List<List<Double>> latencies = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    for (int w = 0; w < writers; w++) {
      String prefix = "/registry/services/specs/default/writer-" + w + "-";
      List<Double> own = new ArrayList<>();
      latencies.add(own);
      threads.add(
          Tasks.start(
              "writer",
              () -> {
                try {
                  for (int i = 0; System.nanoTime() < until; i++) {
                    long begin = System.nanoTime();
                    contestant.write(prefix + i, value);
                    own.add((System.nanoTime() - begin) / 1e3);
                  }
                } catch (Exception e) {
                  failure.set(e);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Exception cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException(contestant.name() + ": a write failed", cause);
    }
    return latencies.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).toArray();
  }
}
