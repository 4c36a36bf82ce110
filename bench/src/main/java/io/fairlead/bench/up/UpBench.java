package io.fairlead.bench.up;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.endtoend.BenchMachine;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/// The first five minutes in figures: `up` with a node until the API answers, until it returns,
/// until the first answer through a Service; then memory and processor time at rest. With and
/// without the AOT cache, in turn:
/// - `first`: new data directory, and nothing of the program in memory: the kernel's page cache is
///   emptied before, as after the machine was started.
/// - `cold`: new data directory, the program has run before.
/// - `warm`: the data directory of before, which has all objects already.
///
/// As root, on a machine of its own. Arguments: `[--smoke] [--check] [rounds]`.
public final class UpBench implements AutoCloseable {
  private static final String WITH_CACHE = "fairlead";
  private static final String WITHOUT_CACHE = "without-aot";
  private static final int REST_SECONDS = 30;
  private static final String OBJECTS =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: hostnames}
      spec:
        replicas: 3
        selector: {matchLabels: {app: hostnames}}
        template:
          metadata: {labels: {app: hostnames}}
          spec: {containers: [{name: hostnames, image: fairlead.dev/hostnames}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: hostnames}
      spec:
        clusterIP: 10.96.1.175
        selector: {app: hostnames}
        ports: [{port: 80, targetPort: 9376}]
      """;

  /// Knocks at the port first, which costs nothing: twenty curls a second would take a fifth of a
  /// processor from what they wait for.
  private static final String UNTIL_READY =
      """
      timeout 120 bash -c '
        until (exec 3<>/dev/tcp/127.0.0.1/6443) 2>/dev/null; do sleep 0.02; done
        until curl -skf -o /dev/null https://127.0.0.1:6443/readyz; do sleep 0.02; done'
      """;

  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("api", "cold", "api_ms", 1500),
          Goal.atMost("api-warm", "warm", "api_ms", 1500),
          Goal.atMost("first-answer", "cold", "first_answer_ms", 5000),
          Goal.atMost("first-answer-warm", "warm", "first_answer_ms", 5000),
          Goal.atMost("memory", "warm", "rss_mb", 300));

  private final Report report;
  private final String who;
  private final Path fairlead;
  private final Path directory;
  private final int restSeconds;
  private final AtomicBoolean closed = new AtomicBoolean();

  private UpBench(Report report, String who, Path fairlead, Path directory, int restSeconds) {
    this.report = report;
    this.who = who;
    this.fairlead = fairlead;
    this.directory = directory;
    this.restSeconds = restSeconds;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    if (BenchMachine.client().isEmpty()) {
      System.exit(BenchMachine.run(UpBench.class, call.words()));
    }
    boolean smoke = call.smoke();
    int rounds = call.rounds(3);
    Path fairlead = Path.of(System.getProperty("fairlead.home", ".")).resolve("fairlead");
    Report report = call.report(GOALS);
    for (int round = 1; round <= rounds; round++) {
      measure(report, WITH_CACHE, round, fairlead, smoke);
      measure(report, WITHOUT_CACHE, round, fairlead, smoke);
    }
    call.exit(report.table(WITH_CACHE));
  }

  private static void measure(Report report, String who, int round, Path fairlead, boolean smoke)
      throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-up");
    UpBench bench =
        new UpBench(report, who, fairlead.toAbsolutePath(), directory, smoke ? 0 : REST_SECONDS);
    // Also when the user interrupts it.
    Tasks.atExit("clean-up", bench::close);
    try (bench) {
      Files.writeString(directory.resolve("objects.yaml"), OBJECTS);
      if (!smoke && bench.forgetFiles()) {
        bench.run(round, "first", false);
        bench.must(bench.fairlead("down --purge"));
      }
      bench.run(round, "cold", false);
      if (!smoke || who.equals(WITH_CACHE)) {
        bench.run(round, "warm", true);
      }
    }
  }

  /// Empties the page cache. False where this is not allowed, as in most containers.
  private boolean forgetFiles() throws Exception {
    boolean done = call("sync; echo 3 > /proc/sys/vm/drop_caches") == 0;
    if (!done) {
      System.err.println("not measured: first, for the page cache cannot be emptied here");
    }
    return done;
  }

  /// Takes everything away. Idempotent.
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    try {
      call(fairlead("down --purge"));
      Processes.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String fairlead(String words) {
    return (who.equals(WITH_CACHE) ? "" : "FAIRLEAD_AOT=off ")
        + fairlead
        + " "
        + words
        + " --data-dir="
        + directory.resolve("data")
        + (words.startsWith("up") ? " --kubeconfig=" + kubeconfig() : "");
  }

  private Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  private void run(int round, String what, boolean rests) throws Exception {
    long begin = System.nanoTime();
    Process api = start(UNTIL_READY);
    CompletableFuture<Long> answered = api.onExit().thenApply(_ -> System.nanoTime());
    must(fairlead("up"));
    report.add(round, who, what, "up_ms", since(begin));
    report.add(round, who, what, "api_ms", (answered.get() - begin) / 1e6);
    must(
        "${FAIRLEAD_TEST_KUBECTL:-kubectl} --kubeconfig="
            + kubeconfig()
            + " apply -f "
            + directory
            + "/objects.yaml");
    must(until("curl -sf --max-time 1 http://10.96.1.175/ | grep -q hostnames"));
    report.add(round, who, what, "first_answer_ms", since(begin));
    if (rests) {
      rest(round, what);
    }
    long end = System.nanoTime();
    must(fairlead("down"));
    report.add(round, who, what, "down_ms", since(end));
  }

  /// Asks again and again, but not for ever.
  private static String until(String question) {
    return "timeout 120 sh -c 'until " + question + "; do sleep 0.02; done'";
  }

  private void rest(int round, String what) throws Exception {
    long pid = pid();
    must("sleep " + restSeconds);
    double used = Processes.processorSeconds(pid);
    must("sleep " + restSeconds);
    report.add(round, who, what, "rss_mb", Processes.residentBytes(pid) / 1e6);
    if (restSeconds > 0) {
      report.add(
          round,
          who,
          what,
          "idle_cpu_percent",
          (Processes.processorSeconds(pid) - used) / restSeconds * 100);
    }
  }

  private static double since(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }

  private long pid() throws IOException {
    String record = Files.readString(directory.resolve("data/instance.json"));
    return Long.parseLong(record.replaceFirst("(?s).*\"pid\":(\\d+).*", "$1"));
  }

  private Process start(String script) throws IOException {
    return new ProcessBuilder("sh", "-ec", script)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
        .start();
  }

  private int call(String script) throws IOException, InterruptedException {
    return start(script).waitFor();
  }

  private void must(String script) throws Exception {
    int exit = call(script);
    if (exit != 0) {
      throw new IllegalStateException(
          script.strip()
              + " ended with "
              + exit
              + ": "
              + Files.readString(directory.resolve("log")));
    }
  }
}
