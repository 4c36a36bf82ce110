package io.fairlead.bench.site;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.informer.Pacing;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.conntrack.FlowTable;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.Surroundings;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// A whole proxy in this process that follows a cluster.
public final class Running implements AutoCloseable {
  private final Proxy proxy;

  /// Starts it; its rules come later.
  ///
  /// @param plane where it writes; closed with it
  public Running(String mode, Cluster cluster, DataPlane plane) throws InterruptedException {
    proxy =
        new Proxy(
            configuration(mode),
            new Surroundings(
                cluster.client(),
                mode,
                "node-a",
                Map.of(IpAddress.Family.IPV4, plane),
                new NoFlows(),
                List.of(Site.NODE),
                InstantSource.system(),
                Pacing.system(),
                () -> {}));
    proxy.start();
  }

  private static ProxyConfiguration configuration(String mode) {
    ProxyConfiguration configuration = ProxyConfiguration.defaults();
    Map<String, String> flags =
        Map.of(
            "proxy-mode", mode,
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
  private static final class NoFlows implements FlowTable {
    @Override
    public List<UdpFlow> udpFlows(IpAddress.Family family) {
      return List.of();
    }

    @Override
    public boolean forget(UdpFlow flow) {
      return false;
    }
  }
}
