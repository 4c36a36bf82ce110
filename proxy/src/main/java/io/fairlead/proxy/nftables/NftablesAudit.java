package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.Audit;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Front;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Holds the elements of some service ports against the plan for them. Which slot an endpoint has
/// does not matter, so the kernel's own numbering is taken over.
public final class NftablesAudit {
  private NftablesAudit() {}

  /// @param plan the service ports asked for, and no others
  /// @throws DataPlaneException when the kernel cannot be asked
  public static Audit of(Plan plan) {
    Layout layout = new Layout(plan.node().family());
    try (Nftables nftables = Nftables.open()) {
      Found found = Found.read(nftables, layout);
      if (!found.table()) {
        return Audit.absent();
      }
      State wanted = State.of(plan, found.actions(), found::placement);
      Elements elements = wanted.elements();
      List<String> missing = new ArrayList<>();
      List<String> extra = new ArrayList<>();
      for (Container container : Container.values()) {
        if (container.isDynamic() || container == Container.NODE_PORT_IPS) {
          continue;
        }
        Map<Bytes, Element> actual = found.elements().of(container);
        Map<Bytes, Element> expected = elements.of(container);
        for (Element element : expected.values()) {
          Element there = actual.get(element.key());
          if (there == null || !there.sameAs(element)) {
            missing.add(
                Listing.line(layout.set(container), element, elements.of(Container.ACTIONS)));
          }
        }
        for (Element element : actual.values()) {
          Element intended = expected.get(element.key());
          if ((intended == null || !intended.sameAs(element))
              && belongs(plan, container, element.key())) {
            extra.add(
                Listing.line(
                    layout.set(container), element, found.elements().of(Container.ACTIONS)));
          }
        }
      }
      return new Audit(true, missing, extra, Listing.traffic(found, wanted));
    } catch (SystemCallException e) {
      throw new DataPlaneException("nftables: " + e.getMessage(), e);
    }
  }

  /// Whether a key is about a front of one of the service ports.
  private static boolean belongs(Plan plan, Container container, Bytes key) {
    boolean nodePort;
    switch (container) {
      case FRONTS, INSIDE, OUTSIDE, ENDPOINTS, STICKY_SLOTS, SOURCES -> nodePort = false;
      case NODE_PORTS,
          NODE_PORT_INSIDE,
          NODE_PORT_OUTSIDE,
          NODE_PORT_ENDPOINTS,
          NODE_PORT_STICKY_SLOTS ->
          nodePort = true;
      // Shared with Services that are not asked for.
      case CLUSTER_IPS, HAIRPIN, NODE_PORT_IPS, ACTIONS, LEAVES, AFFINITY -> {
        return false;
      }
      default -> throw new IllegalArgumentException(container.name());
    }
    for (ServicePlan service : plan.services().values()) {
      for (Front front : service.fronts()) {
        Bytes of = Renderer.key(service, front);
        if ((front.kind() == Front.Kind.NODE_PORT) == nodePort && key.length() >= of.length()) {
          int from = container == Container.SOURCES ? key.length() - of.length() : 0;
          if (key.slice(from, of.length()).equals(of)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
