package io.fairlead.controller.loadbalancer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Tells in events of Services what became of their addresses.
final class AllocationEvents {
  private final EventRecorder events;
  private final Function<ObjectKey, Optional<BalancedService>> services;

  AllocationEvents(EventRecorder events, Function<ObjectKey, Optional<BalancedService>> services) {
    this.events = events;
    this.services = services;
  }

  void normal(BalancedService service, String reason, String message) {
    events.record(ObjectEvent.normal(service.reference(), reason, message));
  }

  void warning(BalancedService service, String reason, String message) {
    events.record(ObjectEvent.warning(service.reference(), reason, message));
  }

  void ensured(BalancedService service, AddressAllocation now) {
    normal(service, "EnsuredLoadBalancer", words(now));
  }

  /// `192.168.1.240 from pool lan`.
  private static String words(AddressAllocation now) {
    String addresses =
        String.join(", ", now.addresses().stream().map(IpAddress::toString).toList());
    return now.pools().isEmpty()
        ? addresses
        : addresses
            + " from pool"
            + (now.pools().size() > 1 ? "s " : " ")
            + String.join(", ", now.pools());
  }

  void outside(BalancedService service, AddressAllocation now) {
    for (IpAddress address : now.outside()) {
      warning(
          service,
          "AddressOutsidePools",
          address
              + " is in no pool any more and stays; to get another one: kubectl annotate service "
              + service.key().name()
              + " "
              + AddressRequest.REASSIGN
              + "=true");
    }
  }

  void conflicts(BalancedService service, AddressAllocation now) {
    for (ObjectKey other : now.conflicts()) {
      String text = "%s and %s had the same address; the older one keeps it";
      List<BalancedService> both = new ArrayList<>(List.of(service));
      services.apply(other).ifPresent(both::add);
      for (BalancedService one : both) {
        warning(one, "AddressConflict", text.formatted(other, service.key()));
      }
    }
  }

  void unannounced(BalancedService service, Set<IpAddress> addresses, boolean inUse) {
    String all = String.join(", ", addresses.stream().map(IpAddress::toString).toList());
    if (!inUse) {
      // The node that found the other machine tells of that itself.
      warning(
          service,
          "NoAnnouncer",
          "no node announces " + all + "; fairlead lb gives the reason of each (FL403)");
    }
  }
}
