package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.proxy.core.ServicePlan;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Elements that several service ports have in common, with how many need each.
final class SharedElements {
  private final Uses clusterIps = new Uses(ProxySet.CLUSTER_IPS);
  private final Uses hairpin = new Uses(ProxySet.HAIRPIN);

  /// Counts what a service port needs.
  ///
  /// @param fresh gets what no service port needed before
  void add(ServicePlan plan, Sink fresh) {
    clusterIps.plus(NftablesRenderer.clusterIp(plan), fresh);
    for (IpAddress endpoint : NftablesRenderer.localEndpoints(plan)) {
      hairpin.plus(endpoint, fresh);
    }
  }

  /// Forgets what a service port needed.
  ///
  /// @param gone gets what no service port needs any more
  void remove(ServicePlan plan, Sink gone) {
    clusterIps.minus(NftablesRenderer.clusterIp(plan), gone);
    for (IpAddress endpoint : NftablesRenderer.localEndpoints(plan)) {
      hairpin.minus(endpoint, gone);
    }
  }

  /// Everything needed now.
  void all(ElementSink into) {
    clusterIps.all(into);
    hairpin.all(into);
  }

  /// Takes an address of a set. Most calls at a start want no element of it.
  interface Sink {
    void accept(ProxySet container, IpAddress address);
  }

  /// The element that stands for an address.
  static SetElement element(ProxySet container, IpAddress address) {
    NftData bytes = NftablesTableLayout.address(address);
    return SetElement.of(container == ProxySet.HAIRPIN ? bytes.join(bytes) : bytes);
  }

  /// How many need each address of a container.
  private record Uses(ProxySet container, Map<IpAddress, Integer> counts) {
    Uses(ProxySet container) {
      this(container, new HashMap<>());
    }

    void plus(IpAddress address, Sink fresh) {
      if (counts.merge(address, 1, Integer::sum) == 1) {
        fresh.accept(container, address);
      }
    }

    void minus(IpAddress address, Sink gone) {
      if (counts.merge(address, -1, Uses::sumOrGone) == null) {
        gone.accept(container, address);
      }
    }

    private static @Nullable Integer sumOrGone(int uses, int change) {
      return uses + change == 0 ? null : uses + change;
    }

    void all(ElementSink into) {
      counts.keySet().forEach(address -> into.put(container, element(container, address)));
    }
  }
}
