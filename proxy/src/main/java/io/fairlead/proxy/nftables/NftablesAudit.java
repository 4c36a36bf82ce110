package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Frontend;
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
  public static AuditReport of(Plan plan) {
    NftablesTableLayout layout = new NftablesTableLayout(plan.node().family());
    try (Nftables nftables = Nftables.open()) {
      InstalledTable found = InstalledTable.read(nftables, layout);
      if (!found.table()) {
        return AuditReport.absent();
      }
      ExpectedTable wanted = ExpectedTable.of(plan, found.actions(), found::placement);
      IndexedElements elements = wanted.elements();
      List<String> missing = new ArrayList<>();
      List<String> extra = new ArrayList<>();
      for (ProxySet container : ProxySet.values()) {
        if (container.isDynamic() || container == ProxySet.NODE_PORT_IPS) {
          continue;
        }
        Map<NftData, SetElement> actual = found.elements().of(container);
        Map<NftData, SetElement> expected = elements.of(container);
        for (SetElement element : expected.values()) {
          SetElement there = actual.get(element.key());
          if (there == null || !there.sameAs(element)) {
            missing.add(
                InstalledTableFormatter.line(
                    layout.set(container), element, elements.of(ProxySet.ACTIONS)));
          }
        }
        for (SetElement element : actual.values()) {
          SetElement intended = expected.get(element.key());
          if ((intended == null || !intended.sameAs(element))
              && belongs(plan, container, element.key())) {
            extra.add(
                InstalledTableFormatter.line(
                    layout.set(container), element, found.elements().of(ProxySet.ACTIONS)));
          }
        }
      }
      return new AuditReport(true, missing, extra, InstalledTableFormatter.traffic(found, wanted));
    } catch (SystemCallException e) {
      throw new DataPlaneException("nftables: " + e.getMessage(), e);
    }
  }

  /// Whether a key is about a front of one of the service ports.
  private static boolean belongs(Plan plan, ProxySet container, NftData key) {
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
      for (Frontend front : service.fronts()) {
        NftData of = NftablesRenderer.key(service, front);
        if ((front.kind() == Frontend.Kind.NODE_PORT) == nodePort && key.length() >= of.length()) {
          int from = container == ProxySet.SOURCES ? key.length() - of.length() : 0;
          if (key.slice(from, of.length()).equals(of)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
