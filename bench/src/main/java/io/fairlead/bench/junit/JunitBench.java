package io.fairlead.bench.junit;

import io.fairlead.bench.api.ApiServerLauncher;
import io.fairlead.bench.api.ApiServerUnderTest;
import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// How long a test waits for its cluster, and what that takes of memory: the first of a JVM, the
/// next ones from its template, with a namespace that pods can be made in; against kube-apiserver
/// with etcd as processes, which is what tests start otherwise, until it is ready.
///
/// Each round has a fresh JVM ([ClusterStarts]), with the flags of a test run: none.
///
/// Arguments: `[--smoke] [--check] [rounds]`.
public final class JunitBench {
  private static final List<Goal> GOALS = List.of(Goal.atMost("next", "next", "ms", 500));
  private static final String US = "fairlead";

  private JunitBench() {}

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    int rounds = call.rounds(7);
    Report report = call.report(GOALS);
    Path home = Path.of(System.getProperty("fairlead.home", "."));
    ApiServerLauncher launcher = new ApiServerLauncher(home);
    for (int round = 1; round <= rounds; round++) {
      for (String who : launcher.names()) {
        if (who.equals(US)) {
          embedded(report, round);
        } else {
          original(report, round, launcher, who);
        }
      }
    }
    call.exit(report.table(US));
  }

  private static void embedded(Report report, int round) throws Exception {
    Path log = Files.createTempFile("fairlead-bench-junit", ".log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ClusterStarts.class.getName())
            .redirectError(log.toFile())
            .start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("the JVM of the clusters failed: " + Files.readString(log));
    }
    Files.delete(log);
    for (String line : said.split("\n")) {
      String[] figure = line.split(" ");
      report.add(round, US, figure[0], figure[1], Double.parseDouble(figure[2]));
    }
  }

  private static void original(Report report, int round, ApiServerLauncher launcher, String who)
      throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-junit");
    long start = System.nanoTime();
    try (ApiServerUnderTest server = launcher.start(who, directory)) {
      double ms = (System.nanoTime() - start) / 1e6;
      report.add(round, who, "first", "ms", ms);
      report.add(round, who, "next", "ms", ms);
      report.add(round, who, "memory", "rss_mb", server.residentMegabytes());
    } finally {
      Processes.delete(directory);
    }
  }
}
