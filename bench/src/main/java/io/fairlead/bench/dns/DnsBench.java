package io.fairlead.bench.dns;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Originals;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Cluster DNS: queries a second against the name servers of Debian's packages and against a loop
/// that only sends packets back, one query at a time, under far too many, memory, and the time from
/// a change to its answer.
///
/// Clients are on core 0, servers on core 1. Rounds are short and many: what disturbs a shared
/// machine lasts longer than a sample, so that it shows in the same round of every contestant.
///
/// Arguments: `[--smoke] [--check] [--plugins] [rounds]`. Needs `dnsperf`; `nsd`, `knotd`,
/// `unbound` and `named` take part where they are installed. CoreDNS is compared with and without
/// its cache where it is found, and plugin by plugin; `--plugins` does only that, `--plugins=file`
/// only the paths whose names have that in them, `--cluster` only the names of a cluster.
public final class DnsBench {
  private static final List<Goal> GOALS =
      List.of(
          Goal.atLeast("N1", "fairlead/nsd", "ratio", 0.8),
          Goal.atLeast("N1", "fairlead/ceiling", "ratio", 0.75),
          Goal.atMost("N2", "change to answer", "p50_ms", 1),
          Goal.atMost("N2", "change to answer", "p99_ms", 10),
          Goal.atMost("N2", "slice to answer", "p50_ms", 1),
          Goal.atMost("N2", "slice to answer", "p99_ms", 10),
          Goal.atMost("N1", "80 % of the most", "lost", 0),
          Goal.atMost("N3", "memory, 10,000 Services and pods", "rss_mb", 90),
          Goal.atMost("memory", "memory, 150,000 endpoints", "rss_mb", 136),
          Goal.atMost("memory", "memory, 150,000 endpoints", "peak_mb", 136),
          Goal.atMost("N4", "one at a time, fairlead/ceiling", "ratio", 1.3),
          Goal.atMost("N5", "flood", "p99_ms", 5));
  private static final Pattern RATE = Pattern.compile("Queries per second:\\s+([0-9.]+)");
  private static final Pattern LOST = Pattern.compile("Queries lost:\\s+(\\d+)");

  private static final int TURN = 100;

  /// The rate of dnsperf that is no limit.
  static final double ALL = 10_000_000;

  private final Report report;
  private final boolean smoke;
  private final Path home;
  private final Path directory;

  private DnsBench(Report report, boolean smoke, Path home, Path directory) {
    this.report = report;
    this.smoke = smoke;
    this.home = home;
    this.directory = directory;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    int rounds = call.rounds(7);
    if (!DnsServerUnderTest.installed("dnsperf")) {
      System.err.println("error: dnsperf is not installed\n  next: apt-get install dnsperf");
      System.exit(1);
    }
    DnsServerUnderTest.output(
        List.of("taskset", "-acp", "0", Long.toString(ProcessHandle.current().pid())));
    Path directory = Files.createTempDirectory("fairlead-bench-dns");
    try {
      Path home = Path.of(System.getProperty("fairlead.home", "."));
      boolean only = call.words().stream().anyMatch(word -> word.startsWith("--plugins"));
      String which =
          call.words().stream()
              .filter(word -> word.startsWith("--plugins="))
              .map(word -> word.substring("--plugins=".length()))
              .findFirst()
              .orElse("");
      Optional<Path> coredns = Originals.COREDNS.find();
      List<Goal> goals = new ArrayList<>(only ? List.of() : GOALS);
      if (coredns.isPresent()) {
        goals.addAll(PluginPaths.goals(which));
      }
      Report report = call.report(goals);
      if (coredns.isPresent() && !call.words().contains("--cluster")) {
        new PluginPaths(report, smoke, home, directory, coredns.get(), which).run(rounds);
      }
      call.exit(
          only
              ? report.table("fairlead")
              : new DnsBench(report, smoke, home, directory).run(rounds));
    } finally {
      Processes.delete(directory);
    }
  }

  private boolean run(int rounds) throws Exception {
    int services = smoke ? 1000 : 10_000;
    Population population = new Population(services, 1, false);
    try (StubApiServer api = new StubApiServer(population.state())) {
      List<DnsServerUnderTest> contestants = new ArrayList<>();
      try {
        DnsServerUnderTest fairlead =
            DnsServerUnderTest.fairlead(home, directory, api.port(), "fairlead", false);
        contestants.add(fairlead);
        contestants.add(DnsServerUnderTest.ceiling(directory));
        Optional<Path> coredns = Originals.COREDNS.find();
        if (coredns.isPresent()) {
          for (boolean cache : List.of(false, true)) {
            contestants.add(
                DnsServerUnderTest.coredns(coredns.get(), directory, api.port(), cache));
          }
        }
        contestants.addAll(ZoneServers.start(directory, services));
        Path queries = queries(services);
        for (DnsServerUnderTest each : contestants) {
          if (!each.name().equals("ceiling")) {
            awaitAnswer(each.port(), Population.name(services - 1));
          }
        }
        for (int round = 1; round <= rounds; round++) {
          round(round, contestants, queries);
          changes(round, api, fairlead, services + round * 1000);
          slices(round, api, fairlead, services + round * 1000 + 500);
        }
        flood(fairlead, services);
      } finally {
        Processes.stop(contestants.stream().map(DnsServerUnderTest::process).toList());
      }
    }
    Population usual = new Population(smoke ? 1000 : 10_000, 1, false);
    memory(
        String.format(Locale.ROOT, "memory, %,d Services and pods", usual.services()),
        usual,
        false);
    if (!smoke) {
      memory("memory, the same with verified pods", usual, true);
      memory("memory, 150,000 endpoints", new Population(10_000, 15, true), false);
    }
    return report.table("fairlead");
  }

  private void round(int round, List<DnsServerUnderTest> contestants, Path queries)
      throws Exception {
    double[] rates = new double[contestants.size()];
    for (int i = 0; i < contestants.size(); i++) {
      DnsServerUnderTest each = contestants.get(i);
      if (round == 1) {
        dnsperf(each.port(), queries, smoke ? 1 : 4);
      }
      String output = dnsperf(each.port(), queries, smoke ? 1 : 2);
      rates[i] = rate(output);
      report.add(round, each.name(), "queries", "per_second", rates[i]);
      report.add(round, each.name(), "queries", "lost", number(LOST, output));
      if (i == 0) {
        String gentle = dnsperf(each.port(), queries, smoke ? 1 : 2, rates[0] * 0.8, List.of());
        report.add(round, each.name(), "80 % of the most", "lost", number(LOST, gentle));
      }
    }
    List<Samples> alone = oneAtATime(contestants);
    for (int i = 0; i < contestants.size(); i++) {
      String name = contestants.get(i).name();
      report.add(round, name, "one at a time", "p50_us", alone.get(i).quantile(0.5));
      report.add(round, name, "one at a time", "p99_us", alone.get(i).quantile(0.99));
    }
    for (int i = 1; i < rates.length; i++) {
      String name = "fairlead/" + contestants.get(i).name();
      report.add(round, "fairlead", name, "ratio", rates[0] / rates[i]);
      double tail = alone.getFirst().quantile(0.99) / alone.get(i).quantile(0.99);
      report.add(round, "fairlead", "one at a time, " + name, "ratio", tail);
    }
  }

  static String dnsperf(int port, Path queries, int seconds) throws Exception {
    return dnsperf(port, queries, seconds, ALL, List.of());
  }

  /// @param rate queries a second, [#ALL] for as many as are answered
  /// @param flags of dnsperf, for what queries carry
  static String dnsperf(int port, Path queries, int seconds, double rate, List<String> flags)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "taskset",
                "-c",
                "0",
                "dnsperf",
                "-s",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-d",
                queries.toString(),
                "-l",
                Integer.toString(seconds),
                "-c",
                "4",
                "-q",
                "200",
                "-t",
                "1",
                "-Q",
                Long.toString((long) rate)));
    command.addAll(flags);
    return DnsServerUnderTest.output(command);
  }

  /// How long single questions take. Everybody is asked a few in turn, over and over: a virtual
  /// machine that sleeps deeper or shares its cores for a while does so to all of them.
  private List<Samples> oneAtATime(List<DnsServerUnderTest> contestants) throws IOException {
    int turns = smoke ? 5 : 50;
    double[][] times = new double[contestants.size()][turns * TURN];
    List<DnsLatencyProbe> probers = new ArrayList<>();
    try {
      for (DnsServerUnderTest each : contestants) {
        probers.add(new DnsLatencyProbe(each.port(), 5000));
      }
      for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < times.length; i++) {
          for (int question = 0; question < TURN; question++) {
            int number = turn * TURN + question;
            long begin = System.nanoTime();
            if (probers.get(i).ask(Population.name(number % 1000)).isEmpty()) {
              throw new IllegalStateException("no reply of " + contestants.get(i).name());
            }
            times[i][number] = (System.nanoTime() - begin) / 1e3;
          }
        }
      }
    } finally {
      probers.forEach(DnsLatencyProbe::close);
    }
    return Arrays.stream(times).map(Samples::new).toList();
  }

  /// From a Service entering the watch to its first answer, and from its end to the first denial.
  private void changes(int round, StubApiServer api, DnsServerUnderTest fairlead, int first)
      throws IOException {
    int count = smoke ? 20 : 200;
    double[] appear = new double[count];
    double[] vanish = new double[count];
    try (DnsLatencyProbe prober = new DnsLatencyProbe(fairlead.port(), 5000)) {
      for (int i = 0; i < count; i++) {
        String name = Population.name(first + i);
        if (prober.answers(name)) {
          throw new IllegalStateException(name + " answers before it exists");
        }
        appear[i] = change(api, "ADDED", first + i, prober, true);
        vanish[i] = change(api, "DELETED", first + i, prober, false);
      }
    }
    report.add(round, "fairlead", "change to answer", "p50_ms", new Samples(appear).quantile(0.5));
    report.add(round, "fairlead", "change to answer", "p99_ms", new Samples(appear).quantile(0.99));
    report.add(round, "fairlead", "change to denial", "p50_ms", new Samples(vanish).quantile(0.5));
    report.add(round, "fairlead", "change to denial", "p99_ms", new Samples(vanish).quantile(0.99));
  }

  private static double change(
      StubApiServer api, String type, int service, DnsLatencyProbe prober, boolean wanted)
      throws IOException {
    String object = Population.service(service, api.nextVersion(), true);
    long begin = System.nanoTime();
    api.send(Population.SERVICES, type, object);
    while (prober.answers(Population.name(service)) != wanted) {
      if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(30)) {
        throw new IllegalStateException(type + " of a Service is not answered after 30 s");
      }
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  /// From a new endpoint of a headless Service entering the watch to its address in an answer.
  private void slices(int round, StubApiServer api, DnsServerUnderTest fairlead, int service)
      throws IOException {
    int count = smoke ? 20 : 200;
    double[] times = new double[count];
    String name = Population.name(service);
    api.send(Population.SERVICES, "ADDED", Population.service(service, api.nextVersion(), false));
    try (DnsLatencyProbe prober = new DnsLatencyProbe(fairlead.port(), 5000)) {
      for (int i = 0; i < count; i++) {
        byte[] address = {10, (byte) 200, (byte) round, (byte) (i + 1)};
        String object =
            Population.slice(service, api.nextVersion(), "10.200." + round + "." + (i + 1));
        long begin = System.nanoTime();
        api.send(Population.SLICES, i == 0 ? "ADDED" : "MODIFIED", object);
        while (!prober.leadsTo(name, address)) {
          if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(30)) {
            throw new IllegalStateException("a slice is not answered after 30 s");
          }
        }
        times[i] = (System.nanoTime() - begin) / 1e6;
      }
    }
    report.add(round, "fairlead", "slice to answer", "p50_ms", new Samples(times).quantile(0.5));
    report.add(round, "fairlead", "slice to answer", "p99_ms", new Samples(times).quantile(0.99));
  }

  /// Far more questions than can be answered: those that are must be answered soon, and memory must
  /// not grow.
  private void flood(DnsServerUnderTest fairlead, int services) throws Exception {
    double before = fairlead.residentMegabytes();
    Flood.Result result = Flood.run(fairlead.port(), services, smoke ? 1 : 5);
    if (result.milliseconds().count() == 0) {
      throw new IllegalStateException("no question was answered in the flood");
    }
    report.add(1, "fairlead", "flood", "offered_per_second", result.offered());
    report.add(1, "fairlead", "flood", "answered_per_second", result.answered());
    report.add(1, "fairlead", "flood", "p50_ms", result.milliseconds().quantile(0.5));
    report.add(1, "fairlead", "flood", "p99_ms", result.milliseconds().quantile(0.99));
    report.add(1, "fairlead", "flood", "grown_mb", fairlead.residentMegabytes() - before);
  }

  /// Memory of a server that has just read a cluster: at rest, and the most it took on the way.
  private void memory(String what, Population population, boolean verified) throws Exception {
    try (StubApiServer api = new StubApiServer(population.state())) {
      long begin = System.nanoTime();
      DnsServerUnderTest fairlead =
          DnsServerUnderTest.fairlead(home, directory, api.port(), "memory", verified);
      try {
        awaitAnswer(fairlead.port(), Population.name(population.services() - 1));
        report.add(1, "fairlead", what, "start_s", (System.nanoTime() - begin) / 1e9);
        // The JVM gives back what loading took a few seconds later.
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(smoke ? 1 : 7));
        report.add(1, "fairlead", what, "rss_mb", fairlead.residentMegabytes());
        report.add(1, "fairlead", what, "peak_mb", fairlead.peakMegabytes());
      } finally {
        Processes.stop(List.of(fairlead.process()));
      }
    }
  }

  static void awaitAnswer(int port, String name) throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    try (DnsLatencyProbe prober = new DnsLatencyProbe(port, 500)) {
      while (System.nanoTime() < until) {
        try {
          if (prober.answers(name)) {
            return;
          }
        } catch (IOException _) {
          // No server listens yet.
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
    throw new IllegalStateException(name + " is not answered on port " + port);
  }

  private Path queries(int services) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      lines.append(Population.name(random.nextInt(services))).append(". A\n");
    }
    return Files.writeString(directory.resolve("queries"), lines);
  }

  static double rate(String output) {
    return number(RATE, output);
  }

  static double lost(String output) {
    return number(LOST, output);
  }

  private static double number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("dnsperf said: " + text);
    }
    return Double.parseDouble(matcher.group(1));
  }
}
