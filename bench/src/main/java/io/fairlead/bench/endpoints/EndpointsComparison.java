package io.fairlead.bench.endpoints;

import io.fairlead.bench.api.ApiServerLauncher;
import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Our API server and controllers, and after them kube-apiserver with etcd and
/// kube-controller-manager: from a pod's status write to the slice at a watcher, and what the
/// controllers hold in memory. The controllers are a process, of both only those that write
/// endpoints run, and the original may write as fast as it can.
///
/// @param manager the program kube-controller-manager; without it ours are measured alone
/// @param each pods of each Service
/// @param samples pods that become unready and ready again in a round
record EndpointsComparison(
    Report report, Path home, Optional<Path> manager, int services, int each, int samples) {
  private static final long REST = TimeUnit.MILLISECONDS.toNanos(260);

  void round(int round) throws Exception {
    List<String> names =
        manager.isPresent() ? new ApiServerLauncher(home).names() : List.of("fairlead");
    for (String who : names) {
      Path directory = Files.createTempDirectory("fairlead-bench-endpoints");
      try (PopulatedApiServer world = PopulatedApiServer.start(who, home, directory);
          Client watching = world.newClient()) {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), world.kubeconfig());
        Process controllers = Processes.start(directory.resolve("log"), command(who, kubeconfig));
        try (EndpointsWatcher slices =
            new EndpointsWatcher(watching, ResourceType.ENDPOINT_SLICES)) {
          measure(round, who, world, slices);
          report.add(
              round,
              who,
              "controllers-" + services,
              "rss_mb",
              Processes.residentBytes(controllers.pid()) / 1e6);
        } finally {
          Processes.stop(List.of(controllers));
        }
      } finally {
        Processes.delete(directory);
      }
    }
  }

  private List<String> command(String who, Path kubeconfig) {
    String config = "--kubeconfig=" + kubeconfig;
    String which = "--controllers=endpointslice-controller,endpoints-controller";
    return who.equals("fairlead")
        ? List.of(
            home.resolve("fairlead").toString(), "controllers", config, which, "--secure-port=0")
        : List.of(
            manager.orElseThrow().toString(),
            config,
            which,
            "--secure-port=0",
            "--leader-elect=false",
            "--kube-api-qps=5000",
            "--kube-api-burst=5000");
  }

  /// One pod after the other, each of another Service, becomes unready and ready again.
  private void measure(int round, String who, PopulatedApiServer world, EndpointsWatcher slices)
      throws Exception {
    world.services(0, services);
    long begin = System.nanoTime();
    world.podsOf(0, services, each);
    slices.awaitEndpoints(services * each);
    report.add(round, who, "pods-" + services * each, "ms", (System.nanoTime() - begin) / 1e6);
    double[] millis = new double[2 * samples];
    for (int i = 0; i < millis.length; i++) {
      String pod = PopulatedApiServer.podName("svc-" + (int) (i / 2 * 7919L % services), 0);
      boolean ready = i % 2 == 1;
      begin = System.nanoTime();
      world.ready(pod, ready);
      slices.await(pod, ready ? "ready" : "unready");
      millis[i] = (System.nanoTime() - begin) / 1e6;
      // The next change of the same Service must not count as one of a burst.
      LockSupport.parkNanos(REST);
    }
    Samples times = new Samples(millis);
    report.add(round, who, "pod-to-slice-" + services, "p50_ms", times.quantile(0.5));
    report.add(round, who, "pod-to-slice-" + services, "p99_ms", times.quantile(0.99));
  }
}
