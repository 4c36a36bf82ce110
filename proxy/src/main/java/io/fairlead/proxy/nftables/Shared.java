package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.proxy.core.ServicePlan;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Elements that several service ports have in common, with how many need each.
final class Shared {
  private final Uses clusterIps = new Uses(Container.CLUSTER_IPS);
  private final Uses hairpin = new Uses(Container.HAIRPIN);

  /// Counts what a service port needs.
  ///
  /// @param fresh gets what nobody needed before
  void add(ServicePlan plan, Sink fresh) {
    clusterIps.plus(Renderer.clusterIp(plan), fresh);
    for (IpAddress endpoint : Renderer.localEndpoints(plan)) {
      hairpin.plus(endpoint, fresh);
    }
  }

  /// Forgets what a service port needed.
  ///
  /// @param gone gets what nobody needs any more
  void remove(ServicePlan plan, Sink gone) {
    clusterIps.minus(Renderer.clusterIp(plan), gone);
    for (IpAddress endpoint : Renderer.localEndpoints(plan)) {
      hairpin.minus(endpoint, gone);
    }
  }

  /// Everything needed now.
  void all(ElementSink into) {
    clusterIps.all(into);
    hairpin.all(into);
  }

  /// Is told of an address in a container. Most calls at a start want no element of it.
  interface Sink {
    void accept(Container container, IpAddress address);
  }

  /// The element that stands for an address.
  static Element element(Container container, IpAddress address) {
    Bytes bytes = Layout.address(address);
    return Element.of(container == Container.HAIRPIN ? bytes.join(bytes) : bytes);
  }

  /// How many need each address of a container.
  private record Uses(Container container, Map<IpAddress, Integer> counts) {
    Uses(Container container) {
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
