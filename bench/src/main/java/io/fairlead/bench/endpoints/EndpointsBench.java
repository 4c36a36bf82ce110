package io.fairlead.bench.endpoints;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Originals;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.Controllers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// How fast slices follow pods, and what it costs: the time from a pod's status write to the slice
/// at a watcher, writes and bytes of a change of one endpoint among many and of a roll-out, memory
/// of the controllers.
///
/// The server runs in a process of its own, controllers and watchers in this one. Where
/// kube-apiserver and kube-controller-manager are found, they are compared with ours in small, all
/// of them processes. Arguments: `[--smoke] [--check] [--compare] [rounds]`; `--compare` does only
/// that.
public final class EndpointsBench {
  private static final String WHO = "fairlead";
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("SLO", "ready-1000", "p99_ms", 1000),
          Goal.atMost("SLO", "ready-10000", "p99_ms", 5000),
          Goal.atMost("C3", "one-of-10000", "slice_writes", 1),
          Goal.atMost("C3", "rollout", "bytes_ratio", 1.1),
          Goal.atMost("7.3", "memory", "kb_per_pod", 2));

  /// @param few Services for the first latency figure, `many` for the second and for memory
  /// @param each pods of each of the many
  /// @param large endpoints of the Service of which one changes
  /// @param rollout pods of the Service that is rolled
  private record Sizes(
      int few, int many, int each, int large, int rollout, int samples, int perSecond) {
    static final Sizes FULL = new Sizes(1000, 10_000, 10, 10_000, 1000, 300, 100);
    static final Sizes SMOKE = new Sizes(5, 10, 2, 120, 20, 5, 200);
  }

  private final Report report;
  private final Sizes sizes;
  private final Path home;

  private EndpointsBench(Report report, Sizes sizes, Path home) {
    this.report = report;
    this.sizes = sizes;
    this.home = home;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    int rounds = call.rounds(1);
    boolean compareOnly = call.words().contains("--compare");
    Report report = call.report(compareOnly ? List.of() : GOALS);
    Path home = Path.of(System.getProperty("fairlead.home", "."));
    EndpointsBench bench = new EndpointsBench(report, smoke ? Sizes.SMOKE : Sizes.FULL, home);
    for (int round = 1; round <= rounds && !compareOnly; round++) {
      bench.round(round);
    }
    Optional<Path> manager = Originals.KUBE_CONTROLLER_MANAGER.find();
    if (manager.isPresent() || compareOnly) {
      EndpointsComparison comparison =
          smoke
              ? new EndpointsComparison(report, home, manager, 5, 2, 5)
              : new EndpointsComparison(report, home, manager, 1000, 3, 100);
      for (int round = 1; round <= rounds; round++) {
        comparison.round(round);
      }
    }
    call.exit(report.table(WHO));
  }

  private void round(int round) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-endpoints");
    try (PopulatedApiServer world = PopulatedApiServer.start(home, directory);
        Client client = world.newClient();
        Client watching = world.newClient()) {
      Controllers.Options options =
          Controllers.Options.single("")
              .only(Controllers.list(List.of("endpointslice-controller", "endpoints-controller")));
      double before = heapMegabytes();
      try (Controllers _ = Controllers.start(client, options)) {
        latency(round, world, watching);
        oneOfMany(round, world, watching);
        rollout(round, world, watching);
        long pods = (long) sizes.many() * sizes.each() + sizes.large() + sizes.rollout();
        double held = heapMegabytes() - before;
        report.add(round, WHO, "memory", "mb", held);
        report.add(round, WHO, "memory", "kb_per_pod", held * 1000 / pods);
      }
    } finally {
      Processes.delete(directory);
    }
  }

  private void latency(int round, PopulatedApiServer world, Client watching) throws Exception {
    try (EndpointsWatcher slices = new EndpointsWatcher(watching, ResourceType.ENDPOINT_SLICES)) {
      world.services(0, sizes.few());
      world.podsOf(0, sizes.few(), sizes.each());
      slices.awaitEndpoints(sizes.few() * sizes.each());
      flip(round, "ready-1000", sizes.few(), world, slices);
      world.services(sizes.few(), sizes.many() - sizes.few());
      world.podsOf(sizes.few(), sizes.many() - sizes.few(), sizes.each());
      slices.awaitEndpoints(sizes.many() * sizes.each());
      flip(round, "ready-10000", sizes.many(), world, slices);
    }
  }

  /// One pod after the other, each of another Service, becomes unready and ready again.
  private void flip(
      int round, String what, int services, PopulatedApiServer world, EndpointsWatcher slices)
      throws Exception {
    double[] millis = new double[2 * sizes.samples()];
    for (int i = 0; i < sizes.samples(); i++) {
      String pod = PopulatedApiServer.podName("svc-" + (int) ((long) i * 7919 % services), 0);
      for (int half = 0; half < 2; half++) {
        boolean ready = half == 1;
        long begin = System.nanoTime();
        world.ready(pod, ready);
        slices.await(pod, ready ? "ready" : "unready");
        millis[2 * i + half] = (System.nanoTime() - begin) / 1e6;
        // The next change of the same Service must not count as one of a burst.
        pause(260);
      }
    }
    Samples samples = new Samples(millis);
    report.add(round, WHO, what, "p50_ms", samples.quantile(0.5));
    report.add(round, WHO, what, "p99_ms", samples.quantile(0.99));
  }

  private void oneOfMany(int round, PopulatedApiServer world, Client watching) throws Exception {
    world.services(1_000_000, 1);
    String service = "svc-1000000";
    world.pods(service, 0, sizes.large());
    try (EndpointsWatcher slices = new EndpointsWatcher(watching, ResourceType.ENDPOINT_SLICES)) {
      slices.awaitEndpoints(sizes.many() * sizes.each() + sizes.large());
      pause(600);
      EndpointsWatcher.Traffic before = slices.traffic();
      world.ready(PopulatedApiServer.podName(service, sizes.large() / 2), false);
      slices.await(PopulatedApiServer.podName(service, sizes.large() / 2), "unready");
      pause(600);
      report.add(
          round, WHO, "one-of-10000", "slice_writes", slices.traffic().minus(before).writes());
    }
  }

  /// Every pod is replaced: the new one comes, becomes ready, the old one ends and goes.
  private void rollout(int round, PopulatedApiServer world, Client watching) throws Exception {
    world.services(2_000_000, 1);
    String service = "svc-2000000";
    world.pods(service, 0, sizes.rollout());
    int others = sizes.many() * sizes.each() + sizes.large();
    try (EndpointsWatcher slices = new EndpointsWatcher(watching, ResourceType.ENDPOINT_SLICES);
        EndpointsWatcher endpoints = new EndpointsWatcher(watching, ResourceType.ENDPOINTS)) {
      slices.awaitEndpoints(others + sizes.rollout());
      pause(600);
      EndpointsWatcher.Traffic slicesBefore = slices.traffic();
      EndpointsWatcher.Traffic endpointsBefore = endpoints.traffic();
      int objectsBefore = slices.objects();
      for (int i = 0; i < sizes.rollout(); i++) {
        world.pod(service, sizes.rollout() + i, true);
        world.delete(PopulatedApiServer.podName(service, i), 30);
        world.delete(PopulatedApiServer.podName(service, i), 0);
        pause(1000 / sizes.perSecond());
      }
      slices.await(PopulatedApiServer.podName(service, 2 * sizes.rollout() - 1), "ready");
      slices.awaitEndpoints(others + sizes.rollout());
      pause(600);
      EndpointsWatcher.Traffic traffic = slices.traffic().minus(slicesBefore);
      EndpointsWatcher.Traffic old = endpoints.traffic().minus(endpointsBefore);
      report.add(round, WHO, "rollout", "slice_writes", traffic.writes());
      report.add(round, WHO, "rollout", "slice_mb", traffic.bytes() / 1e6);
      report.add(round, WHO, "rollout", "bytes_ratio", traffic.bytes() / (double) traffic.needed());
      report.add(round, WHO, "rollout", "more_slices", slices.objects() - objectsBefore);
      report.add(round, WHO, "rollout", "endpoints_writes", old.writes());
      report.add(round, WHO, "rollout", "endpoints_mb", old.bytes() / 1e6);
    }
  }

  private static void pause(int millis) throws InterruptedException {
    boolean _ = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
  }

  /// What this process keeps after a collection.
  private static double heapMegabytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
  }
}
