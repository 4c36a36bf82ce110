package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.HardwareAddress;
import io.fairlead.proxy.announce.AddressOwnership.NodeView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What a node sees of the cluster when it decides about addresses. Immutable.
///
/// @param node this one
/// @param demands the addresses that this node's rules carry
/// @param served of those the ones that an interface of this node has the network for
/// @param nodes the Nodes of the API
/// @param leases what announcers said last
/// @param fresh the announcers whose Lease was seen to change a short while ago
record AnnouncerView(
    String node,
    Map<IpAddress, AddressDemand> demands,
    Set<IpAddress> served,
    Map<String, AnnouncerNode> nodes,
    Map<String, AnnouncerLease> leases,
    Set<String> fresh) {
  AnnouncerView {
    demands = Map.copyOf(demands);
    served = Set.copyOf(served);
    nodes = Map.copyOf(nodes);
    leases = Map.copyOf(leases);
    fresh = Set.copyOf(fresh);
  }

  /// Whether what it shows of others can be believed: the API has shown this node its own Lease a
  /// short while ago. Without, others may live and only not be seen.
  boolean isCurrent() {
    return fresh.contains(node);
  }

  /// Whether a hardware address is one of a node's interfaces.
  boolean isNodes(HardwareAddress hardware) {
    String text = hardware.toString();
    return leases.values().stream()
        .anyMatch(lease -> lease.hardware().stream().anyMatch(mac -> mac.endsWith(text)));
  }

  /// All addresses that a Lease lists, whether its node lives or not.
  Set<IpAddress> everAnnounced() {
    Set<IpAddress> all = new HashSet<>();
    leases.values().forEach(lease -> all.addAll(lease.announces()));
    return all;
  }

  /// Whether another node that lives holds the address and knows that it does.
  boolean isHeldElsewhere(IpAddress address) {
    return leases.entrySet().stream()
        .anyMatch(
            each ->
                !each.getKey().equals(node)
                    && fresh.contains(each.getKey())
                    && each.getValue().announces().contains(address)
                    && !each.getValue().doubts().contains(address));
  }

  /// Whether the API has shown what this node has written of an address, and so also what others
  /// had written before.
  boolean showsOwn(IpAddress address) {
    AnnouncerLease own = leases.get(node);
    return isCurrent() && own != null && own.announces().contains(address);
  }

  /// Whether another node could take the address.
  boolean hasOtherCandidate(IpAddress address, AddressDemand demand) {
    return nodes(address, demand, false, false).entrySet().stream()
        .anyMatch(each -> !each.getKey().equals(node) && each.getValue().candidate());
  }

  /// Every announcer as the rule of ownership wants it.
  ///
  /// @param holds whether this node has the address now
  /// @param sure whether it knows that; then others do not count that do not know
  Map<String, NodeView> nodes(
      IpAddress address, AddressDemand demand, boolean holds, boolean sure) {
    Map<String, LocalEndpoints> able = new LinkedHashMap<>();
    Set<String> names = new HashSet<>(leases.keySet());
    names.add(node);
    for (String name : names) {
      if (obstacle(name, address, demand).isEmpty()) {
        able.put(name, endpoints(name, address, demand));
      }
    }
    // The best that any node has; without endpoints anywhere all nodes are as good.
    LocalEndpoints best =
        able.values().stream().max(LocalEndpoints::compareTo).orElse(LocalEndpoints.NONE);
    Map<String, NodeView> views = new HashMap<>();
    for (String name : names) {
      AnnouncerLease lease = leases.get(name);
      boolean own = name.equals(node);
      boolean lists =
          lease != null
              && lease.announces().contains(address)
              && !(holds && sure && lease.doubts().contains(address));
      views.put(
          name,
          new NodeView(
              own || fresh.contains(name),
              able.containsKey(name) && (!demand.local() || able.get(name) == best),
              own ? holds : lists));
    }
    return views;
  }

  private LocalEndpoints endpoints(String name, IpAddress address, AddressDemand demand) {
    if (!demand.local()) {
      return LocalEndpoints.NONE;
    }
    if (name.equals(node)) {
      return demand.endpoints();
    }
    AnnouncerLease lease = leases.get(name);
    return lease == null
        ? LocalEndpoints.NONE
        : lease.local().getOrDefault(address, LocalEndpoints.NONE);
  }

  /// Why a node cannot announce an address, whatever its endpoints; empty when it can.
  private String obstacle(String name, IpAddress address, AddressDemand demand) {
    AnnouncerNode object = nodes.get(name);
    if (object == null) {
      return "is no Node";
    }
    if (!object.obstacle().isEmpty()) {
      return object.obstacle();
    }
    if (!demand.pool().nodeSelector().matches(object.metadata().labels())) {
      return "is not selected by pool " + demand.pool().name();
    }
    boolean own = name.equals(node);
    AnnouncerLease lease = leases.get(name);
    if (!own && (lease == null || !fresh.contains(name))) {
      return "has no announcer";
    }
    boolean ready =
        own ? served.contains(address) : lease != null && lease.readyFor().contains(address);
    if (ready) {
      return "";
    }
    return lease == null || lease.obstacle().isEmpty() ? "has no network for it" : lease.obstacle();
  }

  /// Each node with the reason why it does not announce an address, for people.
  Map<String, String> reasons(IpAddress address, AddressDemand demand) {
    Map<String, String> reasons = new TreeMap<>();
    Map<String, NodeView> views = nodes(address, demand, false, false);
    for (String name : nodes.keySet()) {
      String obstacle = obstacle(name, address, demand);
      NodeView view = views.get(name);
      if (!obstacle.isEmpty()) {
        reasons.put(name, obstacle);
      } else if (view != null && !view.candidate()) {
        reasons.put(name, "has no local endpoint");
      }
    }
    return reasons;
  }
}
