package io.fairlead.bench.dns;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/// N6: one path of the plugin chain after the other, against CoreDNS with the same Corefile. Each
/// answers 1,000 names from one core; both run at once and are asked in turns.
///
/// @param coredns the original's program
record PluginPaths(Report report, boolean smoke, Path home, Path directory, Path coredns) {
  private static final int NAMES = 1000;
  private static final int TURNS = 20;
  private static final int TURN = 100;

  /// @param block the Corefile's lines; `DIR` and `API` stand for files and the API's port
  /// @param warm whether every name is asked once before
  private record PluginPath(String name, String block, IntFunction<String> asked, boolean warm) {}

  private static final String KUBERNETES =
      "kubernetes cluster.local {\n endpoint http://127.0.0.1:API\n ttl 5\n}\n";

  private static final List<PluginPath> PATHS =
      List.of(
          new PluginPath("file", "file DIR/zone zone.test\n", PluginPaths::zoneName, false),
          new PluginPath("hosts", "hosts DIR/hosts\n", PluginPaths::zoneName, false),
          new PluginPath(
              "template",
              "template IN A {\n answer \"{{ .Name }} 60 IN A 10.1.2.3\"\n}\n",
              PluginPaths::zoneName,
              false),
          new PluginPath(
              "rewrite and kubernetes",
              "rewrite name suffix .alias.test .svc.cluster.local answer auto\n" + KUBERNETES,
              number -> Population.name(number).replace(".svc.cluster.local", ".alias.test"),
              false),
          new PluginPath(
              "cache and forward",
              "cache 3600\nforward . 127.0.0.1:UPSTREAM\n",
              PluginPaths::zoneName,
              true));

  static List<Goal> goals() {
    return PATHS.stream()
        .flatMap(
            path ->
                Stream.of(
                    Goal.atLeast("N6", path.name + ", fairlead/coredns", "ratio", 2),
                    Goal.atMost(
                        "N6", path.name + ", one at a time, fairlead/coredns", "p99_ratio", 1)))
        .toList();
  }

  private static String zoneName(int number) {
    return "n" + number + ".zone.test";
  }

  void run(int rounds) throws Exception {
    files();
    Population population = new Population(NAMES, 1, false);
    try (StubApiServer api = new StubApiServer(population.state())) {
      DnsServerUnderTest upstream = original("upstream", "file DIR/zone zone.test\n", 0, 0);
      try {
        DnsBench.awaitAnswer(upstream.port(), zoneName(0));
        for (PluginPath path : PATHS) {
          compare(path, api.port(), upstream.port(), rounds);
        }
      } finally {
        Processes.stop(List.of(upstream.process()));
      }
    }
  }

  private void compare(PluginPath path, int api, int upstream, int rounds) throws Exception {
    List<DnsServerUnderTest> contestants = new ArrayList<>();
    Path queries = queries(path);
    try {
      contestants.add(ours(path.block, api, upstream));
      contestants.add(original("coredns", path.block, api, upstream));
      for (DnsServerUnderTest each : contestants) {
        DnsBench.awaitAnswer(each.port(), path.asked.apply(0));
        if (path.warm) {
          ask(each, path, NAMES);
        }
        // The JVM's compilers, as in the other part of this benchmark.
        DnsBench.dnsperf(each.port(), queries, smoke ? 1 : 4);
      }
      for (int round = 1; round <= rounds; round++) {
        round(round, path, contestants, queries);
      }
    } finally {
      Processes.stop(contestants.stream().map(DnsServerUnderTest::process).toList());
    }
  }

  private void round(int round, PluginPath path, List<DnsServerUnderTest> contestants, Path queries)
      throws Exception {
    double[] rates = new double[2];
    double[] tails = new double[2];
    for (int i = 0; i < 2; i++) {
      DnsServerUnderTest each = contestants.get(i);
      String output = DnsBench.dnsperf(each.port(), queries, smoke ? 1 : 2);
      rates[i] = DnsBench.rate(output);
      report.add(round, each.name(), path.name, "per_second", rates[i]);
      report.add(round, each.name(), path.name, "lost", DnsBench.lost(output));
    }
    double[][] times = new double[2][TURNS * TURN];
    for (int turn = 0; turn < TURNS; turn++) {
      for (int i = 0; i < 2; i++) {
        double[] some = ask(contestants.get(i), path, TURN);
        System.arraycopy(some, 0, times[i], turn * TURN, TURN);
      }
    }
    for (int i = 0; i < 2; i++) {
      tails[i] = new Samples(times[i]).quantile(0.99);
      report.add(round, contestants.get(i).name(), path.name, "p99_us", tails[i]);
    }
    String pair = path.name + ", fairlead/coredns";
    report.add(round, "fairlead", pair, "ratio", rates[0] / rates[1]);
    report.add(
        round,
        "fairlead",
        path.name + ", one at a time, fairlead/coredns",
        "p99_ratio",
        tails[0] / tails[1]);
  }

  private static double[] ask(DnsServerUnderTest server, PluginPath path, int count)
      throws IOException {
    double[] times = new double[count];
    try (DnsLatencyProbe probe = new DnsLatencyProbe(server.port(), 5000)) {
      for (int i = 0; i < count; i++) {
        long begin = System.nanoTime();
        if (!probe.answers(path.asked.apply(i % NAMES))) {
          throw new IllegalStateException(server.name() + " does not answer: " + path.name);
        }
        times[i] = (System.nanoTime() - begin) / 1e3;
      }
    }
    return times;
  }

  private DnsServerUnderTest ours(String block, int api, int upstream) throws IOException {
    int port = Processes.freePort();
    Path corefile = corefile("ours", block, port, api, upstream);
    return DnsServerUnderTest.start(
        "fairlead",
        port,
        directory,
        List.of(
            home.resolve("fairlead").toString(),
            "dns-server",
            "-conf",
            corefile.toString(),
            "-quiet"));
  }

  private DnsServerUnderTest original(String name, String block, int api, int upstream)
      throws IOException {
    int port = Processes.freePort();
    Path corefile = corefile(name, block, port, api, upstream);
    return DnsServerUnderTest.start(
        name,
        port,
        directory,
        List.of("env", "GOMAXPROCS=1", coredns.toString(), "-conf", corefile.toString(), "-quiet"));
  }

  private Path corefile(String name, String block, int port, int api, int upstream)
      throws IOException {
    String lines =
        block
            .replace("DIR", directory.toString())
            .replace("API", Integer.toString(api))
            .replace("UPSTREAM", Integer.toString(upstream));
    return Files.writeString(
        directory.resolve("Corefile-" + name), ".:" + port + " {\n" + lines + "}\n");
  }

  private void files() throws IOException {
    StringBuilder zone =
        new StringBuilder("@ 3600 IN SOA ns.zone.test. mail.zone.test. 1 3600 600 86400 30\n");
    StringBuilder hosts = new StringBuilder();
    for (int i = 0; i < NAMES; i++) {
      zone.append(String.format(Locale.ROOT, "n%d 3600 IN A %s%n", i, Population.address(i)));
      hosts.append(Population.address(i)).append(' ').append(zoneName(i)).append('\n');
    }
    Files.writeString(directory.resolve("zone"), zone);
    Files.writeString(directory.resolve("hosts"), hosts);
  }

  private Path queries(PluginPath path) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < NAMES; i++) {
      lines.append(path.asked.apply(i)).append(". A\n");
    }
    return Files.writeString(directory.resolve("queries-plugin"), lines);
  }
}
