package io.fairlead.bench.dns;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.dns.wire.Rcode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/// N6: one path of the plugin chain after the other, against CoreDNS with the same Corefile. Each
/// answers from one core; both run at once and are asked in turns. A thousand names come again and
/// again; tens of thousands are more than any table of ready replies keeps.
///
/// @param coredns the original's program
/// @param only a part of the names of the paths to take; empty for all
record PluginPaths(
    Report report, boolean smoke, Path home, Path directory, Path coredns, String only) {
  private static final int NAMES = 1000;
  private static final int MANY = 50_000;
  private static final int CACHED = 9000;
  private static final int TURNS = 20;
  private static final int TURN = 100;

  /// @param block the Corefile's lines; `DIR` and `API` stand for files and the API's port
  /// @param names how many are asked for
  /// @param denied which of them do not exist
  /// @param warm whether every name is asked once before
  /// @param flags of dnsperf, for what its queries carry
  private record PluginPath(
      String name,
      String block,
      int names,
      IntFunction<String> asked,
      IntPredicate denied,
      boolean warm,
      List<String> flags) {
    PluginPath(String name, String block, int names, IntFunction<String> asked) {
      this(name, block, names, asked, _ -> false, false, List.of());
    }

    PluginPath with(String other, String... added) {
      return new PluginPath(other, block, names, asked, denied, warm, List.of(added));
    }

    PluginPath warmed() {
      return new PluginPath(name, block, names, asked, denied, true, flags);
    }

    PluginPath denying(IntPredicate which) {
      return new PluginPath(name, block, names, asked, which, warm, flags);
    }
  }

  private static final String KUBERNETES =
      "kubernetes cluster.local {\n endpoint http://127.0.0.1:API\n ttl 5\n}\n";
  private static final String TEMPLATE =
      "template IN A {\n answer \"{{ .Name }} 60 IN A 10.1.2.3\"\n}\n";
  private static final String REWRITE =
      "rewrite name suffix .alias.test .svc.cluster.local answer auto\n" + KUBERNETES;
  private static final String FORWARD = "cache 3600\nforward . 127.0.0.1:UPSTREAM\n";
  private static final PluginPath FILE =
      new PluginPath("file", "file DIR/zone zone.test\n", NAMES, PluginPaths::zoneName);

  private static final List<PluginPath> PATHS =
      List.of(
          FILE,
          new PluginPath("hosts", "hosts DIR/hosts\n", NAMES, PluginPaths::zoneName),
          new PluginPath("template", TEMPLATE, NAMES, PluginPaths::zoneName),
          new PluginPath("rewrite and kubernetes", REWRITE, NAMES, PluginPaths::aliasName),
          new PluginPath("cache and forward", FORWARD, NAMES, PluginPaths::zoneName).warmed(),
          new PluginPath("file, many names", FILE.block, MANY, PluginPaths::zoneName),
          new PluginPath(
              "file, wildcard", FILE.block, MANY, number -> "x" + number + ".w.zone.test"),
          new PluginPath("file, denial", FILE.block, MANY, number -> "x" + number + ".zone.test")
              .denying(_ -> true),
          FILE.with("file, EDNS and DO", "-D"),
          FILE.with("file, cookie", "-E", "10:0102030405060708"),
          new PluginPath("hosts, many names", "hosts DIR/hosts\n", MANY, PluginPaths::zoneName),
          new PluginPath("template, many names", TEMPLATE, MANY, PluginPaths::zoneName),
          new PluginPath(
              "rewrite and kubernetes, many names", REWRITE, CACHED, PluginPaths::aliasName),
          new PluginPath("cache and forward, many names", FORWARD, CACHED, PluginPaths::zoneName)
              .warmed(),
          new PluginPath(
                  "a cluster's mix",
                  "errors\nloadbalance\nprometheus 127.0.0.1:0\n" + KUBERNETES + FORWARD,
                  CACHED,
                  PluginPaths::mixed)
              .denying(number -> number % 10 >= 5 && number % 10 <= 7)
              .warmed());

  static List<Goal> goals(String only) {
    return PATHS.stream()
        .filter(path -> path.name.contains(only))
        .flatMap(
            path ->
                Stream.of(
                    Goal.atLeast("N6", path.name + ", fairlead/coredns", "ratio", 2),
                    Goal.atMost("N6", path.name + ", 80 % of the most", "lost", 0),
                    Goal.atMost(
                        "N6", path.name + ", one at a time, fairlead/coredns", "p99_ratio", 1)))
        .toList();
  }

  private static String zoneName(int number) {
    return "n" + number + ".zone.test";
  }

  private static String aliasName(int number) {
    return Population.name(number).replace(".svc.cluster.local", ".alias.test");
  }

  /// Of ten questions five about Services, three about what a search list made of other names, and
  /// two about names outside.
  private static String mixed(int number) {
    return switch (number % 10) {
      case 0, 1, 2, 3, 4 -> Population.name(number);
      case 5 -> zoneName(number) + ".shop.svc.cluster.local";
      case 6 -> zoneName(number) + ".svc.cluster.local";
      case 7 -> zoneName(number) + ".cluster.local";
      default -> zoneName(number);
    };
  }

  void run(int rounds) throws Exception {
    files();
    Population population = new Population(CACHED, 1, false);
    try (StubApiServer api = new StubApiServer(population.state())) {
      DnsServerUnderTest upstream = original("upstream", "file DIR/zone zone.test\n", 0, 0);
      try {
        DnsBench.awaitAnswer(upstream.port(), zoneName(0));
        for (PluginPath path : PATHS) {
          if (path.name.contains(only)) {
            compare(path, api.port(), upstream.port(), rounds);
          }
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
        awaitKnown(each, path);
        if (path.warm) {
          ask(each, path, path.names);
        }
        // The JVM's compilers, as in the other part of this benchmark.
        DnsBench.dnsperf(each.port(), queries, smoke ? 1 : 4, DnsBench.ALL, path.flags);
      }
      for (int round = 1; round <= rounds; round++) {
        round(round, path, contestants, queries);
      }
    } finally {
      Processes.stop(contestants.stream().map(DnsServerUnderTest::process).toList());
    }
  }

  /// Waits until the last names are known, too: a cluster is read one kind after the other.
  private static void awaitKnown(DnsServerUnderTest server, PluginPath path) throws Exception {
    DnsBench.awaitAnswer(server.port(), path.denied.test(0) ? zoneName(0) : path.asked.apply(0));
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    try (DnsLatencyProbe probe = new DnsLatencyProbe(server.port(), 5000)) {
      for (int number = path.names - TURN; number < path.names; number++) {
        while (!answersRight(probe, path, number)) {
          if (System.nanoTime() > until) {
            throw new IllegalStateException(server.name() + " is not ready: " + path.name);
          }
        }
      }
    }
  }

  private static boolean answersRight(DnsLatencyProbe probe, PluginPath path, int number)
      throws IOException {
    byte[] reply = probe.ask(path.asked.apply(number)).orElseThrow();
    int rcode = reply[3] & 15;
    return path.denied.test(number)
        ? rcode == Rcode.NXDOMAIN
        : rcode == Rcode.NOERROR && reply[7] > 0;
  }

  private void round(int round, PluginPath path, List<DnsServerUnderTest> contestants, Path queries)
      throws Exception {
    double[] rates = new double[2];
    double[] costs = new double[2];
    double[] tails = new double[2];
    for (int i = 0; i < 2; i++) {
      DnsServerUnderTest each = contestants.get(i);
      int seconds = smoke ? 1 : 2;
      double before = Processes.processorSeconds(each.process().pid());
      String output = DnsBench.dnsperf(each.port(), queries, seconds, DnsBench.ALL, path.flags);
      double used = Processes.processorSeconds(each.process().pid()) - before;
      rates[i] = DnsBench.rate(output);
      costs[i] = used * 1e6 / (rates[i] * seconds);
      // Beside the rate, which says little while other work runs on the machine.
      report.add(round, each.name(), path.name, "cpu_us", costs[i]);
      report.add(round, each.name(), path.name, "per_second", rates[i]);
      report.add(round, each.name(), path.name, "lost", DnsBench.lost(output));
      if (i == 0) {
        String gentle = DnsBench.dnsperf(each.port(), queries, seconds, rates[0] * 0.8, path.flags);
        String what = path.name + ", 80 % of the most";
        report.add(round, each.name(), what, "lost", DnsBench.lost(gentle));
      }
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
    report.add(round, "fairlead", pair, "cpu_ratio", costs[1] / costs[0]);
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
        if (!answersRight(probe, path, i % path.names)) {
          throw new IllegalStateException(server.name() + " answers wrong: " + path.name);
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
    for (int i = 0; i < MANY; i++) {
      zone.append(String.format(Locale.ROOT, "n%d 3600 IN A %s%n", i, Population.address(i)));
      hosts.append(Population.address(i)).append(' ').append(zoneName(i)).append('\n');
    }
    zone.append("*.w 3600 IN A 10.9.8.7\n");
    Files.writeString(directory.resolve("zone"), zone);
    Files.writeString(directory.resolve("hosts"), hosts);
  }

  private Path queries(PluginPath path) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < path.names; i++) {
      lines.append(path.asked.apply(i)).append(". A\n");
    }
    return Files.writeString(directory.resolve("queries-plugin"), lines);
  }
}
