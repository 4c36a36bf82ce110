package io.fairlead.bench.dataplane;

import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.site.Cluster;
import io.fairlead.bench.site.Site;
import io.fairlead.proxy.testing.HttpApi;
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
  private final Cluster cluster;
  private final HttpApi api;
  private final Process process;

  KubeProxy(String program, String mode, Site site, int size, IpAddress service) {
    cluster = new Cluster(size);
    cluster.add("zz-last", service.toString());
    api =
        site.node()
            .call(
                () ->
                    new HttpApi(
                        cluster.api(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    try {
      Path directory = Files.createTempDirectory("kube-proxy");
      Path kubeconfig = directory.resolve("kubeconfig");
      Files.writeString(kubeconfig, Cluster.kubeconfig(api.port()));
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
                  "--cluster-cidr=" + Site.CLIENTS,
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
