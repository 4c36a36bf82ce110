package io.fairlead.bench.startup;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// How long a user waits: short commands, `up` until ready, memory at rest, size of the download.
/// Measures the archive of `./dev dist` where it was made, and the checkout.
///
/// Arguments: `[--smoke] [--check] [rounds]`.
public final class StartupBench {
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("help", "--help", "ms", 200),
          Goal.atMost("version", "--version", "ms", 200),
          Goal.atMost("completion", "completion bash", "ms", 200),
          Goal.atMost("status", "status", "ms", 300),
          Goal.atMost("ready", "up", "ms", 1500),
          Goal.atMost("memory", "up", "rss_mb", 300),
          Goal.atMost("download", "archive", "mb", 90));

  private final Report report;

  private StartupBench(Report report) {
    this.report = report;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    int rounds = call.rounds(7);
    Path home = Path.of(System.getProperty("fairlead.home", "."));
    Map<String, Path> contestants = new LinkedHashMap<>();
    Path unpacked = home.resolve("target/dist/fairlead/bin/fairlead");
    if (Files.exists(unpacked)) {
      contestants.put("archive", unpacked);
    } else {
      System.err.println("the archive is not measured: make it with ./dev dist");
    }
    contestants.put("checkout", home.resolve("fairlead"));
    StartupBench bench = new StartupBench(call.report(GOALS));
    bench.archiveSize(home.resolve("target/dist"));
    for (int round = 1; round <= rounds; round++) {
      for (Map.Entry<String, Path> contestant : contestants.entrySet()) {
        bench.round(round, contestant.getKey(), contestant.getValue());
      }
    }
    call.exit(bench.report.table(contestants.keySet().iterator().next()));
  }

  private void archiveSize(Path dist) throws IOException {
    if (Files.isDirectory(dist)) {
      try (Stream<Path> files = Files.list(dist)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".tar.gz")).toList()) {
          report.add(1, "archive", "archive", "mb", Files.size(file) / 1e6);
        }
      }
    }
  }

  private void round(int round, String who, Path fairlead) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-startup");
    try {
      String data = directory.resolve("data").toString();
      time(round, who, "--version", fairlead, 0, "--version");
      time(round, who, "--help", fairlead, 0, "--help");
      time(round, who, "completion bash", fairlead, 0, "completion", "bash");
      String[] up = {
        "up",
        "--data-dir=" + data,
        "--api-port=" + Processes.freePort(),
        "--agent=off",
        "--kubeconfig=" + directory.resolve("kubeconfig")
      };
      time(round, who, "up", fairlead, 0, up);
      report.add(round, who, "up", "rss_mb", resident(directory.resolve("data")));
      time(round, who, "status", fairlead, 0, "status", "--data-dir=" + data);
      time(round, who, "down", fairlead, 0, "down", "--data-dir=" + data);
      time(round, who, "up again", fairlead, 0, up);
      time(round, who, "down", fairlead, 0, "down", "--data-dir=" + data, "--purge");
    } finally {
      Processes.delete(directory);
    }
  }

  private void time(
      int round, String who, String what, Path fairlead, int expected, String... words)
      throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of(fairlead.toString()));
    command.addAll(List.of(words));
    long begin = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    int exit = process.waitFor();
    double millis = (System.nanoTime() - begin) / 1e6;
    if (exit != expected) {
      throw new IllegalStateException(
          String.join(" ", command) + " ended with " + exit + ": " + said);
    }
    report.add(round, who, what, "ms", millis);
  }

  /// Memory of the instance, by the process number in its record.
  private static double resident(Path data) throws IOException {
    String record = Files.readString(data.resolve("instance.json"));
    String pid = record.replaceFirst("(?s).*\"pid\":(\\d+).*", "$1");
    return Processes.residentBytes(Long.parseLong(pid)) / 1e6;
  }
}
