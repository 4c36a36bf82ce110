package io.fairlead.bench.testbed;

import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.proxy.core.ProxyMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/// A kube-proxy on the node of a site, fed by a plain HTTP API on the node's loopback.
public final class KubeProxy implements AutoCloseable {
  private final TransportHttpServer api;
  private final Process process;

  /// Starts it; its rules come later.
  ///
  /// @param program the original's file
  public KubeProxy(Path program, ProxyMode mode, NetworkTestbed site, FakeApiCluster cluster)
      throws IOException {
    this(program, mode, site, cluster, System.getenv("PATH"));
  }

  /// @param path where it looks for the tools of the kernel
  public KubeProxy(
      Path program, ProxyMode mode, NetworkTestbed site, FakeApiCluster cluster, String path)
      throws IOException {
    api =
        site.node()
            .call(
                () ->
                    new TransportHttpServer(
                        cluster.api(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    Path directory = Files.createTempDirectory("kube-proxy");
    Path kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(kubeconfig, FakeApiCluster.kubeconfig(api.port()));
    ProcessBuilder builder =
        new ProcessBuilder(
                "ip",
                "netns",
                "exec",
                site.node().name(),
                program.toString(),
                "--kubeconfig=" + kubeconfig,
                "--kube-api-content-type=application/json",
                "--proxy-mode=" + mode,
                "--cluster-cidr=" + NetworkTestbed.CLIENTS,
                "--hostname-override=node-a",
                "--conntrack-max-per-core=0",
                "--conntrack-tcp-timeout-established=0",
                "--conntrack-tcp-timeout-close-wait=0")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile());
    builder.environment().put("PATH", path);
    process = builder.start();
  }

  /// A search path on which `iptables` is the legacy variant, which loads ten thousand Services in
  /// seconds instead of minutes; the usual one where that is not installed.
  public static String legacyPath() throws IOException {
    String usual = System.getenv("PATH");
    Path legacy = Path.of("/usr/sbin/iptables-legacy");
    if (!Files.isExecutable(legacy)) {
      return usual;
    }
    Path directory = Files.createTempDirectory("iptables-legacy");
    for (String tool : new String[] {"iptables", "ip6tables"}) {
      for (String verb : new String[] {"", "-save", "-restore"}) {
        Files.createSymbolicLink(
            directory.resolve(tool + verb), Path.of("/usr/sbin/" + tool + "-legacy" + verb));
      }
    }
    return directory + ":" + usual;
  }

  public Process process() {
    return process;
  }

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
