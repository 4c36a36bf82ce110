package io.fairlead.bench.dataplane;

import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.testbed.FakeApiCluster;
import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.proxy.core.ProxyMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// A kube-proxy on the node of a site, fed by a plain HTTP API on the node's loopback. The program
/// is the one the environment names.
final class KubeProxy implements AutoCloseable {
  private final FakeApiCluster cluster;
  private final TransportHttpServer api;
  private final Process process;

  KubeProxy(String program, ProxyMode mode, NetworkTestbed site, int size, IpAddress service) {
    cluster = new FakeApiCluster(size);
    cluster.add("zz-last", service.toString());
    api =
        site.node()
            .call(
                () ->
                    new TransportHttpServer(
                        cluster.api(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    try {
      Path directory = Files.createTempDirectory("kube-proxy");
      Path kubeconfig = directory.resolve("kubeconfig");
      Files.writeString(kubeconfig, FakeApiCluster.kubeconfig(api.port()));
      process =
          new ProcessBuilder(
                  "ip",
                  "netns",
                  "exec",
                  site.node().name(),
                  program,
                  "--kubeconfig=" + kubeconfig,
                  "--kube-api-content-type=application/json",
                  "--proxy-mode=" + mode,
                  "--cluster-cidr=" + NetworkTestbed.CLIENTS,
                  "--hostname-override=node-a",
                  "--conntrack-max-per-core=0",
                  "--conntrack-tcp-timeout-established=0",
                  "--conntrack-tcp-timeout-close-wait=0")
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    site.awaitTaken(service.toString(), Duration.ofMinutes(10));
  }

  @Override
  public void close() {
    process.destroyForcibly();
    api.close();
    cluster.close();
  }
}
