package io.fairlead.bench.sync;

import io.fairlead.bench.testbed.FakeApiCluster;
import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.proxy.core.ProxyMode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// `fairlead proxy` as a process on the node of a site, fed by a plain HTTP API on the node's
/// loopback.
final class FairleadProxyProcess implements AutoCloseable {
  private static final String HEALTH = "127.0.0.1:10256";
  private static final double KILOBYTES_PER_MEGABYTE = 1024;
  private static final Duration GLANCE = Duration.ofMillis(10);
  private static final Duration REST = Duration.ofSeconds(5);

  private final NetworkTestbed site;
  private final TransportHttpServer api;
  private final Process process;
  private final Path log;

  FairleadProxyProcess(FakeApiCluster cluster, NetworkTestbed site, ProxyMode mode)
      throws IOException {
    this.site = site;
    api =
        site.node()
            .call(
                () ->
                    new TransportHttpServer(
                        cluster.api(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    Path directory = Files.createTempDirectory("fairlead-bench");
    Path kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(kubeconfig, FakeApiCluster.kubeconfig(api.port()));
    log = directory.resolve("log");
    process =
        new ProcessBuilder(
                "ip",
                "netns",
                "exec",
                site.node().name(),
                Path.of(System.getProperty("fairlead.home", "."), "fairlead").toString(),
                "proxy",
                "--mode=" + mode,
                "--kubeconfig=" + kubeconfig,
                "--hostname-override=node-a",
                "--cluster-cidr=10.64.0.0/16",
                "--conntrack-max-per-core=0",
                "--conntrack-tcp-timeout-established=0",
                "--conntrack-tcp-timeout-close-wait=0",
                "--healthz-bind-address=" + HEALTH,
                "--metrics-bind-address=")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
  }

  /// Waits until rules are written in every family.
  void awaitReady(Duration limit) throws IOException {
    long give = System.nanoTime() + limit.toNanos();
    while (!isReady()) {
      if (System.nanoTime() > give || !process.isAlive()) {
        throw new IllegalStateException("the proxy is not ready:\n" + Files.readString(log));
      }
      // Often enough to see when, seldom enough to leave the processors to the proxy.
      LockSupport.parkNanos(GLANCE.toNanos());
    }
  }

  private boolean isReady() {
    return site.node()
        .call(
            () -> {
              try {
                HttpURLConnection connection =
                    (HttpURLConnection)
                        URI.create("http://" + HEALTH + "/readyz").toURL().openConnection();
                return connection.getResponseCode() == 200;
              } catch (IOException _) {
                return false;
              }
            });
  }

  /// What it holds after a moment with nothing to do.
  double residentMegabytes() throws IOException {
    LockSupport.parkNanos(REST.toNanos());
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .sum()
        / KILOBYTES_PER_MEGABYTE;
  }

  Process process() {
    return process;
  }

  /// The processor time it has used so far.
  Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// Counts changes of any nftables object of the site's node.
  static int generation(NetworkTestbed site) {
    return site.node()
        .call(
            () -> {
              try (Nftables nftables = Nftables.open()) {
                return nftables.generation();
              }
            });
  }

  /// Ends the process; its rules stay.
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    api.close();
  }
}
