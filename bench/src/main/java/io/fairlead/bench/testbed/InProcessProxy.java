package io.fairlead.bench.testbed;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.conntrack.ConntrackTable;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.ProxyDependencies;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// A whole proxy in this process that follows a cluster.
public final class InProcessProxy implements AutoCloseable {
  private final Proxy proxy;

  /// Starts it; its rules come later.
  ///
  /// @param plane where it writes; closed with it
  public InProcessProxy(ProxyMode mode, FakeApiCluster cluster, DataPlane plane)
      throws InterruptedException {
    proxy =
        new Proxy(
            configuration(mode),
            new ProxyDependencies(
                cluster.client(),
                mode,
                "node-a",
                Map.of(IpAddress.Family.IPV4, plane),
                new NoFlows(),
                List.of(NetworkTestbed.NODE),
                InstantSource.system(),
                TimingSources.system(),
                () -> {}));
    proxy.start();
  }

  private static ProxyConfiguration configuration(ProxyMode mode) {
    ProxyConfiguration configuration = ProxyConfiguration.defaults();
    Map<String, String> flags =
        Map.of(
            "proxy-mode", mode.toString(),
            "cluster-cidr", "10.64.0.0/16",
            "healthz-bind-address", "",
            "metrics-bind-address", "");
    for (Map.Entry<String, String> flag : flags.entrySet()) {
      configuration =
          configuration.with(ProxyFlag.find(flag.getKey()).orElseThrow(), flag.getValue());
    }
    return configuration;
  }

  /// Stops it; its rules stay.
  @Override
  public void close() {
    proxy.close();
  }

  /// The site has no UDP.
  private static final class NoFlows implements ConntrackTable {
    @Override
    public List<UdpFlow> udpFlows(IpAddress.Family family) {
      return List.of();
    }

    @Override
    public int forget(List<UdpFlow> flows) {
      return 0;
    }
  }
}
