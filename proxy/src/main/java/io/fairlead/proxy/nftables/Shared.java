package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.proxy.core.ServicePlan;
import java.util.HashMap;
import java.util.Map;

/// Elements that several service ports have in common, with how many need each.
final class Shared {
  private final Map<Container, Map<Bytes, Integer>> uses =
      Map.of(Container.CLUSTER_IPS, new HashMap<>(), Container.HAIRPIN, new HashMap<>());

  /// Counts what a service port needs.
  void add(ServicePlan plan, Delta delta) {
    plus(Container.CLUSTER_IPS, Layout.address(Renderer.clusterIp(plan)), delta);
    for (IpAddress endpoint : Renderer.localEndpoints(plan)) {
      plus(Container.HAIRPIN, itself(endpoint), delta);
    }
  }

  /// Forgets what a service port needed.
  void remove(ServicePlan plan, Delta delta) {
    minus(Container.CLUSTER_IPS, Layout.address(Renderer.clusterIp(plan)), delta);
    for (IpAddress endpoint : Renderer.localEndpoints(plan)) {
      minus(Container.HAIRPIN, itself(endpoint), delta);
    }
  }

  private static Bytes itself(IpAddress endpoint) {
    return Layout.address(endpoint).join(Layout.address(endpoint));
  }

  private void plus(Container container, Bytes key, Delta delta) {
    if (map(container).merge(key, 1, Integer::sum) == 1) {
      delta.add(container, Element.of(key));
    }
  }

  private void minus(Container container, Bytes key, Delta delta) {
    if (map(container).merge(key, -1, Shared::sumOrGone) == null) {
      delta.delete(container, Element.of(key));
    }
  }

  private static @org.jspecify.annotations.Nullable Integer sumOrGone(int uses, int change) {
    return uses + change == 0 ? null : uses + change;
  }

  private Map<Bytes, Integer> map(Container container) {
    Map<Bytes, Integer> map = uses.get(container);
    if (map == null) {
      throw new IllegalArgumentException(container.name());
    }
    return map;
  }

  /// Everything needed now.
  void all(ElementSink into) {
    uses.forEach(
        (container, map) -> map.keySet().forEach(key -> into.put(container, Element.of(key))));
  }
}
