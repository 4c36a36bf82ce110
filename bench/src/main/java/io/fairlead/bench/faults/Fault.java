package io.fairlead.bench.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/// The faults that can be run by name.
enum Fault {
  STORE_KILL("F1", 200, "kills of a process that writes", "store", "KillTest", "fairlead.kills"),
  POWER_LOSS(
      "F2",
      10_000,
      "cuts of the store's files, the last block torn",
      "store",
      "StoreCorruptionTest#aLog*+aCut*",
      "fairlead.cuts"),
  BIT_FLIP(
      "F3",
      1_000,
      "single bits flipped in the store's files",
      "store",
      "StoreCorruptionTest#aFlipped*",
      "fairlead.flips"),
  DISK(
      "F4",
      1,
      "a disk that is full, fails or takes 2 s for a sync",
      "store",
      "DiskFullTest,FaultyDiskTest",
      ""),
  ETCD_LEADER(
      "F5", 200, 3, "leaders of a replicated store killed or cut off", EtcdLeaderFault::new),
  PROXY_KILL(
      "F6",
      500,
      "kills of a proxy in the middle of a sync, in each mode",
      "proxy",
      "Killed*Test#manyKills",
      "fairlead.kills"),
  FLUSH(
      "F7",
      1,
      "rules and tracked connections flushed by another program",
      "proxy",
      "LiveProxyFaultsTest#flushed*",
      ""),
  API_AWAY(
      "F8",
      600,
      "seconds that a node is cut off from the API, in each mode",
      "proxy",
      "LiveProxyFaultsTest#withTheApiAway*",
      "fairlead.away.seconds"),
  WATCH_CUT("F9", 300, 3, "seconds in each of which all watches are cut", WatchCutFault::new),
  UDP_FLOWS(
      "F11",
      10_000,
      "UDP flows from one source port each when their endpoint goes",
      "proxy",
      "LiveStaleFlowsTest#manyFlows*",
      "fairlead.flows"),
  FUZZ(
      "X6, X9",
      100_000_000,
      "damaged inputs for each reader of bytes from the network",
      "api,http,kernel,server,agent,dns",
      "*FuzzTest",
      "fairlead.fuzz"),
  SMALL_HEAP(
      "F12", 10_000, 200, "Services in an API server with 64 MB of heap", SmallHeapFault::new),
  FLOOD("X7", 60, 1, "seconds of requests with a wrong token", FloodFault::new);

  private final String id;
  private final int full;
  private final int small;
  private final String what;
  private final String module;
  private final String tests;
  private final String property;
  private final Optional<Supplier<FaultScenario>> scenario;

  /// A test of a module.
  Fault(String id, int full, String what, String module, String tests, String property) {
    this.id = id;
    this.full = full;
    this.small = 0;
    this.what = what;
    this.module = module;
    this.tests = tests;
    this.property = property;
    this.scenario = Optional.empty();
  }

  /// A scenario of this package.
  Fault(String id, int full, int small, String what, Supplier<FaultScenario> scenario) {
    this.id = id;
    this.full = full;
    this.small = small;
    this.what = what;
    this.module = "";
    this.tests = "";
    this.property = "";
    this.scenario = Optional.of(scenario);
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String describe() {
    return id + ": " + full + " " + what;
  }

  int full() {
    return full;
  }

  int small() {
    return small;
  }

  Optional<FaultScenario> scenario() {
    return scenario.map(Supplier::get);
  }

  /// Runs the tests that show it.
  ///
  /// @return 0 when they passed
  int runTests(int count) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "mvn",
                "-B",
                "-ntp",
                "-q",
                "-pl",
                module,
                "-am",
                "test",
                "-Dtest=" + tests,
                "-Dsurefire.failIfNoSpecifiedTests=false",
                "-Dspotless.check.skip=true"));
    if (!property.isEmpty()) {
      command.add("-D" + property + "=" + count);
    }
    int exit =
        new ProcessBuilder(command)
            .directory(Path.of(System.getProperty("fairlead.home", ".")).toFile())
            .inheritIO()
            .start()
            .waitFor();
    System.out.println(word() + (exit == 0 ? ": held" : ": FAILED"));
    return exit;
  }
}
