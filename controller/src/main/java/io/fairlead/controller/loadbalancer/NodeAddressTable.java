package io.fairlead.controller.loadbalancer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.ObjectKey;
import io.fairlead.controller.loadbalancer.BalancedService.ServicePort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Which Service has which port of the nodes' own addresses. All Services have all the addresses;
/// of each protocol and port one Service is the holder, until it lets go.
///
/// Guarded by its own lock, held for memory work only. It knows no API.
final class NodeAddressTable {
  private final NodeAddressPool pool;

  // All guarded by this.
  private final Map<ServicePort, ObjectKey> holders = new HashMap<>();
  private final Map<ObjectKey, BalancedService> holdings = new HashMap<>();
  private final TreeSet<BalancedService> waiting = new TreeSet<>();
  private List<IpAddress> addresses = List.of();

  NodeAddressTable(NodeAddressPool pool) {
    this.pool = pool;
  }

  /// The addresses of the nodes now. Returns the Services that are to be looked at when they have
  /// changed.
  synchronized Set<ObjectKey> addresses(List<ServedNode> nodes) {
    List<IpAddress> now = addressesOf(nodes);
    if (now.equals(addresses)) {
      return Set.of();
    }
    addresses = now;
    return all();
  }

  /// Addresses of outside where a node has one, else those of inside; of nodes that can take
  /// traffic.
  private static List<IpAddress> addressesOf(List<ServedNode> nodes) {
    TreeSet<IpAddress> external = new TreeSet<>();
    TreeSet<IpAddress> internal = new TreeSet<>();
    for (ServedNode node : nodes) {
      if (node.takesTraffic()) {
        external.addAll(node.external());
        internal.addAll(node.internal());
      }
    }
    List<IpAddress> found = new ArrayList<>();
    for (Family family : Family.values()) {
      List<IpAddress> outside = external.stream().filter(one -> one.family() == family).toList();
      found.addAll(
          outside.isEmpty()
              ? internal.stream().filter(one -> one.family() == family).toList()
              : outside);
    }
    return found;
  }

  private Set<ObjectKey> all() {
    Set<ObjectKey> all = new LinkedHashSet<>(holdings.keySet());
    waiting.forEach(service -> all.add(service.key()));
    return all;
  }

  /// Decides what a Service has from now on. One whose port another holds waits.
  synchronized AddressAllocation allocate(BalancedService service) {
    Set<ObjectKey> affected = release(service.key());
    affected.remove(service.key());
    for (ServicePort port : service.ports()) {
      if (pool.keeps(port)) {
        return pending(service, "FL405", "the nodes keep " + port + " for themselves", affected);
      }
      ObjectKey holder = holders.get(port);
      if (holder != null) {
        return pending(
            service,
            "FL405",
            "the nodes' addresses are held by " + holder + " on " + port,
            affected);
      }
    }
    List<IpAddress> own = new ArrayList<>();
    AddressRequest request = AddressRequest.of(service);
    for (Family family : request.families()) {
      addresses.stream().filter(one -> one.family() == family).forEach(own::add);
    }
    boolean every =
        request.families().stream()
            .allMatch(family -> own.stream().anyMatch(one -> one.family() == family));
    if (own.isEmpty() || (request.all() && !every)) {
      return pending(
          service, "FL400", "no node that is ready has an address of its family", affected);
    }
    service.ports().forEach(port -> holders.put(port, service.key()));
    holdings.put(service.key(), service);
    return new AddressAllocation(
        own,
        List.of(NodeAddressPool.NAME),
        List.of(),
        AddressAllocation.COMPLETE,
        Set.of(),
        affected);
  }

  private AddressAllocation pending(
      BalancedService service, String code, String why, Set<ObjectKey> affected) {
    waiting.add(service);
    return new AddressAllocation(
        List.of(),
        List.of(),
        List.of(),
        new AddressAllocation.Pending(code, why, ""),
        Set.of(),
        affected);
  }

  /// The Service is gone, or gets its addresses elsewhere. Returns those that waited for one of its
  /// ports, the oldest first.
  synchronized Set<ObjectKey> release(ObjectKey key) {
    waiting.removeIf(service -> service.key().equals(key));
    BalancedService before = holdings.remove(key);
    Set<ObjectKey> freed = new LinkedHashSet<>();
    if (before != null) {
      before.ports().forEach(port -> holders.remove(port, key));
      for (BalancedService other : waiting) {
        if (other.ports().stream().anyMatch(before.ports()::contains)) {
          freed.add(other.key());
        }
      }
    }
    return freed;
  }

  synchronized boolean knows(ObjectKey key) {
    return holdings.containsKey(key)
        || waiting.stream().anyMatch(service -> service.key().equals(key));
  }
}
