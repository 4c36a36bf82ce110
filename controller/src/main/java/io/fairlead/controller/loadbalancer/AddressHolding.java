package io.fairlead.controller.loadbalancer;

import io.fairlead.api.loadbalancer.LoadBalancerPool;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.ObjectKey;
import io.fairlead.controller.loadbalancer.BalancedService.ServicePort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A Service that holds addresses or waits for some. Owned by its [BalancerAddressTable].
final class AddressHolding implements Comparable<AddressHolding> {
  private BalancedService service;
  private AddressRequest request;
  private Map<String, String> namespaceLabels;
  private final List<IpAddress> addresses = new ArrayList<>(2);

  AddressHolding(BalancedService service, Map<String, String> namespaceLabels) {
    this.service = service;
    this.namespaceLabels = namespaceLabels;
    this.request = AddressRequest.of(service);
  }

  /// Takes over the newest state of the Service. Returns whether what decides about sharing has
  /// changed.
  boolean update(BalancedService now, Map<String, String> labels) {
    AddressRequest wanted = AddressRequest.of(now);
    boolean changed =
        !wanted.sharingKey().equals(request.sharingKey())
            || !now.ports().equals(service.ports())
            || now.local() != service.local()
            || !now.selector().equals(service.selector());
    service = now;
    request = wanted;
    namespaceLabels = labels;
    return changed;
  }

  BalancedService service() {
    return service;
  }

  AddressRequest request() {
    return request;
  }

  ObjectKey key() {
    return service.key();
  }

  List<IpAddress> addresses() {
    return addresses;
  }

  Optional<IpAddress> address(Family family) {
    for (IpAddress address : addresses) {
      if (address.family() == family) {
        return Optional.of(address);
      }
    }
    return Optional.empty();
  }

  /// Whether it may take addresses of a pool.
  boolean mayUse(LoadBalancerPool pool) {
    return pool.admits(namespaceLabels, service.metadata().labels())
        && (request.pool().isEmpty() || request.pool().equals(pool.name()));
  }

  /// Whether it asks for something that others may hold too, so that it is tried before others.
  boolean isSpecific() {
    return !request.addresses().isEmpty() || !request.sharingKey().isEmpty();
  }

  /// Whether both may hold an address of that pool.
  boolean sharesWith(AddressHolding other, Optional<LoadBalancerPool> pool) {
    return !request.sharingKey().isEmpty()
        && request.sharingKey().equals(other.request.sharingKey())
        && (key().namespace().equals(other.key().namespace())
            || pool.filter(LoadBalancerPool::shareAcrossNamespaces).isPresent())
        && Collections.disjoint(service.ports(), other.service.ports())
        && ((!service.local() && !other.service.local())
            || service.selector().equals(other.service.selector()));
  }

  /// The port that two Services have in common, else the first of this one.
  String portInTheWayOf(AddressHolding other) {
    for (ServicePort port : service.ports()) {
      if (other.service.ports().contains(port)) {
        return port.toString();
      }
    }
    return service.ports().isEmpty() ? "no port" : service.ports().iterator().next().toString();
  }

  /// The order of waiting: specific requests first, then the older ones.
  @Override
  public int compareTo(AddressHolding other) {
    int bySpecific = Boolean.compare(other.isSpecific(), isSpecific());
    return bySpecific != 0 ? bySpecific : service.compareTo(other.service);
  }
}
