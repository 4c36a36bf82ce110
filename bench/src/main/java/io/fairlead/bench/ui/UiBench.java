package io.fairlead.bench.ui;

import io.fairlead.api.json.Json;
import io.fairlead.bench.api.Processes;
import io.fairlead.bench.endtoend.FairleadUp;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The web page in a real Chromium, before an API server with many Services: until something is on
/// the screen, from a write to the screen, what a change costs the browser, its heap after half an
/// hour of changes, and what an open page costs the server. Half an hour is replayed without its
/// pauses, by a host whose values the benchmark sets.
///
/// Arguments: `[--smoke] [--check] [rounds [services [many]]]`; 3 rounds, 1,000 and then 10,000
/// Services when left out.
public final class UiBench {
  private static final String WHO = "fairlead";

  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("W1", "load-1000", "first_paint_ms", 300),
          Goal.atMost("W2", "load-1000", "usable_ms", 700),
          Goal.atMost("W2", "load-10000", "usable_ms", 1000),
          Goal.atMost("W3", "write-to-row", "median_ms", 300),
          Goal.atMost("W3", "write-to-picture", "median_ms", 300),
          Goal.atMost("W4", "delta-100", "median_ms", 16),
          Goal.atMost("W4", "delta-100", "p99_ms", 50),
          Goal.atMost("W5", "picture-12", "cpu_percent", 5),
          Goal.atMost("W5", "picture-12", "long_tasks", 0),
          Goal.atMost("W6", "heap-services", "heap_mb", 25),
          Goal.atMost("W6", "heap-services", "growth_mb", 1),
          Goal.atMost("W6", "heap-service", "heap_mb", 20),
          Goal.atMost("W6", "heap-service", "growth_mb", 1),
          Goal.atMost("W7", "server-one-tab", "cpu_percent", 3),
          Goal.atMost("W8", "cut", "resumed_ms", 2000),
          Goal.atMost("W8", "cut", "snapshots", 0),
          Goal.atMost("W9", "layout-12", "median_ms", 0.2),
          Goal.atMost("W9", "layout-200", "median_ms", 2),
          Goal.atMost("W9", "layout-5000", "median_ms", 20),
          Goal.atMost("W10", "bundle", "app_js_kb", 90),
          Goal.atMost("W10", "bundle", "all_kb", 120));

  private final Report report;
  private final BrowserRun browser;
  private final FairleadUp cluster;
  private final Path directory;
  private final boolean smoke;

  private UiBench(
      Report report, BrowserRun browser, FairleadUp cluster, Path directory, boolean smoke) {
    this.report = report;
    this.browser = browser;
    this.cluster = cluster;
    this.directory = directory;
    this.smoke = smoke;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    List<Integer> sizes = call.sizes();
    int services = sizes.isEmpty() ? (smoke ? 20 : 1_000) : sizes.get(0);
    int many = sizes.size() < 2 ? (smoke ? 40 : 10_000) : sizes.get(1);
    Report report = call.report(GOALS);
    Optional<BrowserRun> browser =
        BrowserRun.find(Path.of(System.getProperty("fairlead.home", ".")));
    if (browser.isEmpty()) {
      call.exit(false);
    }
    Path directory = Files.createTempDirectory("fairlead-bench-ui");
    Tasks.atExit("clean-up", () -> delete(directory));
    List<String> alone =
        List.of(
            "--agent=off",
            "--proxy=off",
            "--dns=off",
            "--policy=off",
            "--api-port=" + Processes.freePort(),
            "--ui-port=" + Processes.freePort());
    try (FairleadUp cluster = FairleadUp.up(alone)) {
      UiBench bench = new UiBench(report, browser.orElseThrow(), cluster, directory, smoke);
      ServicePopulation population = new ServicePopulation(cluster.client());
      population.prepare();
      population.services(0, services);
      for (int round = 1; round <= call.rounds(3); round++) {
        bench.round(round, services, "load", "server", "writes");
        bench.round(round, services, "deltas", "picture", "cut", "memory", "layouts", "bundle");
      }
      population.services(services, many);
      bench.round(1, many, "load");
    }
    call.exit(report.table(WHO));
  }

  private static void delete(Path directory) {
    try {
      Processes.delete(directory);
    } catch (IOException e) {
      System.err.println("left behind: " + directory);
    }
  }

  private void round(int round, int services, String... measures)
      throws IOException, InterruptedException {
    ObjectNode config =
        Json.object()
            .put("link", link())
            .put("kubeconfig", cluster.kubeconfig().toString())
            .put("services", services)
            .put("times", smoke ? 1 : 10)
            .put("seconds", smoke ? 1 : 15)
            .put("cutSeconds", smoke ? 1 : 30)
            // Four a second for half an hour.
            .put("changes", smoke ? 120 : 7_200);
    ArrayNode names = config.putArray("measures");
    List.of(measures).forEach(names::add);
    browser.measure(directory, config, new Figures(round));
  }

  /// Figures of the browser, and of the server between its marks.
  private final class Figures implements BrowserRun.Listener {
    private final int round;
    private double processor;
    private long since;

    Figures(int round) {
      this.round = round;
    }

    @Override
    public void figure(String what, String figure, double value) {
      report.add(round, WHO, what, figure, value);
    }

    @Override
    public void mark(String name) throws IOException {
      double used = Processes.processorSeconds(cluster.process());
      long now = System.nanoTime();
      if (name.endsWith("-end")) {
        String what = name.startsWith("tab") ? "server-one-tab" : "server-no-tab";
        figure(what, "cpu_percent", (used - processor) / ((now - since) / 1e9) * 100);
        figure(what, "rss_mb", Processes.residentBytes(cluster.process()) / 1e6);
      }
      processor = used;
      since = now;
    }
  }

  /// A new one for each browser: it counts once.
  private String link() throws IOException, InterruptedException {
    Path fairlead = Path.of(System.getProperty("fairlead.home", ".")).resolve("fairlead");
    Process process =
        new ProcessBuilder(
                fairlead.toAbsolutePath().toString(),
                "ui",
                "-o",
                "json",
                "--kubeconfig=" + cluster.kubeconfig())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    byte[] said = process.getInputStream().readAllBytes();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("fairlead ui: " + new String(said, StandardCharsets.UTF_8));
    }
    return Json.textOr(Json.parseObject(said), "", "url");
  }
}
