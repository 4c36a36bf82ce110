package io.fairlead.proxy.nftables;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;

/// Writes a service port as elements. Pure, but for the numbers of actions it asks for.
final class NftablesRenderer {
  private final ToIntFunction<ChainAction> actions;

  /// @param actions gives the number of an action
  NftablesRenderer(ToIntFunction<ChainAction> actions) {
    this.actions = actions;
  }

  /// By what the fronts of a service port are found.
  static List<NftData> keys(ServicePlan plan) {
    List<Frontend> fronts = plan.fronts();
    List<NftData> keys = new ArrayList<>(fronts.size());
    for (Frontend front : fronts) {
      keys.add(key(plan, front));
    }
    return keys;
  }

  static NftData key(ServicePlan plan, Frontend front) {
    return front.kind() == Frontend.Kind.NODE_PORT
        ? NftablesTableLayout.nodePort(plan.port().protocol(), front.port())
        : NftablesTableLayout.front(
            Objects.requireNonNull(front.address()), plan.port().protocol(), front.port());
  }

  /// Whether traffic to a front goes to endpoints on this node only.
  static boolean isLocal(ServicePlan plan, Frontend front) {
    return front.kind() == Frontend.Kind.CLUSTER_IP
        ? plan.port().internalLocal()
        : plan.port().externalLocal();
  }

  /// Gives each key once.
  ///
  /// @param claims whose a front is
  void render(
      ServicePlan plan, EndpointNumbering placement, FrontendOwners claims, ElementSink into) {
    List<Frontend> fronts = plan.fronts();
    if (fronts.size() == 1 && plan.port().stickySeconds() == 0) {
      render(plan, fronts, placement, claims, into);
      return;
    }
    // Fronts may have an address in common, and endpoints on this node are also the cluster's.
    IndexedElements own = new IndexedElements();
    render(plan, fronts, placement, claims, own);
    own.forEach(into);
  }

  private void render(
      ServicePlan plan,
      List<Frontend> fronts,
      EndpointNumbering placement,
      FrontendOwners claims,
      ElementSink into) {
    String comment = plan.name().displayName();
    for (Frontend front : fronts) {
      NftData key = key(plan, front);
      if (claims.owns(key, plan.name())) {
        front(plan, placement, front, key, comment, into);
      }
    }
  }

  private void front(
      ServicePlan plan,
      EndpointNumbering placement,
      Frontend front,
      NftData key,
      String comment,
      ElementSink into) {
    FrontendScope scope =
        front.kind() == Frontend.Kind.NODE_PORT ? FrontendScope.NODE_PORT : FrontendScope.ADDRESS;
    boolean address = scope == FrontendScope.ADDRESS;
    boolean local = isLocal(plan, front);
    boolean restricted = !front.sources().isEmpty();
    boolean split = !front.inside().isEmpty();
    int sticky = plan.port().stickySeconds();
    EndpointSlots slots = local ? placement.local() : placement.cluster();
    ChainAction general =
        action(
            front.verdict(), scope, local, slots.endpoints().size(), sticky, restricted && !split);
    ProxySet fronts = address ? ProxySet.FRONTS : ProxySet.NODE_PORTS;
    if (split) {
      into.put(fronts, value(key, new ChainAction.Split(scope, restricted), comment));
      into.put(address ? ProxySet.OUTSIDE : ProxySet.NODE_PORT_OUTSIDE, value(key, general, ""));
      ChainAction inside =
          new ChainAction.Pick(
              scope,
              false,
              placement.cluster().endpoints().size(),
              TrafficVerdict.Masquerade.NEVER,
              sticky,
              false);
      into.put(address ? ProxySet.INSIDE : ProxySet.NODE_PORT_INSIDE, value(key, inside, ""));
      slots(placement, placement.cluster(), PacketTag.CLUSTER_SLOTS, key, scope, into);
    } else {
      into.put(fronts, value(key, general, comment));
    }
    if (front.verdict() instanceof TrafficVerdict.Forward) {
      slots(
          placement,
          slots,
          local ? PacketTag.LOCAL_SLOTS : PacketTag.CLUSTER_SLOTS,
          key,
          scope,
          into);
    }
    for (Cidr range : restricted ? disjoint(front.sources()) : List.<Cidr>of()) {
      into.put(
          ProxySet.SOURCES,
          SetElement.range(
              NftablesTableLayout.address(range.first()).join(key),
              NftablesTableLayout.address(range.last()).join(key),
              ""));
    }
  }

  private static ChainAction action(
      TrafficVerdict verdict,
      FrontendScope scope,
      boolean local,
      int count,
      int sticky,
      boolean restricted) {
    // A test in place of a switch over types, which takes a fresh JVM long.
    return verdict instanceof TrafficVerdict.Forward forward
        ? new ChainAction.Pick(scope, local, count, forward.masquerade(), sticky, restricted)
        : new ChainAction.Refuse(verdict instanceof TrafficVerdict.Reject, restricted);
  }

  private SetElement value(NftData key, ChainAction action, String comment) {
    return SetElement.of(key, PacketTag.bytes(actions.applyAsInt(action)), comment);
  }

  private static void slots(
      EndpointNumbering placement,
      EndpointSlots slots,
      int first,
      NftData key,
      FrontendScope scope,
      ElementSink into) {
    boolean address = scope == FrontendScope.ADDRESS;
    ProxySet endpoints = address ? ProxySet.ENDPOINTS : ProxySet.NODE_PORT_ENDPOINTS;
    ProxySet sticky = address ? ProxySet.STICKY_SLOTS : ProxySet.NODE_PORT_STICKY_SLOTS;
    for (int slot = 0; slot < slots.endpoints().size(); slot++) {
      NftData endpoint = slots.endpoints().get(slot);
      NftData slotKey = key.join32(first + slot);
      Integer number = placement.numbers().get(endpoint);
      if (number == null) {
        into.put(endpoints, SetElement.of(slotKey, endpoint));
      } else {
        into.put(sticky, SetElement.of(slotKey, PacketTag.bytes(number)));
        into.put(endpoints, SetElement.of(key.join32(number), endpoint));
      }
    }
  }

  /// The ranges without those inside another: the kernel refuses overlapping ones.
  static List<Cidr> disjoint(List<Cidr> ranges) {
    return ranges.stream()
        .map(Cidr::masked)
        .distinct()
        .filter(
            range ->
                ranges.stream()
                    .map(Cidr::masked)
                    .noneMatch(other -> !other.equals(range) && other.contains(range)))
        .toList();
  }

  /// Addresses this service port uses together with others: its cluster IP.
  static IpAddress clusterIp(ServicePlan plan) {
    return plan.port().clusterIp();
  }

  /// Endpoints on this node, which may call themselves.
  static List<IpAddress> localEndpoints(ServicePlan plan) {
    List<IpAddress> addresses = new ArrayList<>();
    for (Backend backend : plan.choice().all()) {
      if (backend.local() && !addresses.contains(backend.address())) {
        addresses.add(backend.address());
      }
    }
    return addresses;
  }
}
