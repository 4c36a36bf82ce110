package io.fairlead.controller.serving;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Which Services a change of a pod concerns. Pure.
///
/// A change inside the pod concerns the Services that select it; a change of its labels those that
/// select it only before or only after. A pod that could be no endpoint before and can be none
/// after concerns no Service.
final class PodChange {
  private PodChange() {}

  /// @param before the Services that selected the old state
  /// @param after the Services that select the new one
  static Set<Service> concerns(
      EndpointPod old, EndpointPod now, List<Service> before, List<Service> after) {
    Set<Service> concerned = new LinkedHashSet<>();
    if (!old.addressable() && !now.addressable()) {
      return concerned;
    }
    if (changedItself(old, now)) {
      concerned.addAll(before);
      concerned.addAll(after);
      return concerned;
    }
    if (before.equals(after)) {
      return concerned;
    }
    before.stream().filter(service -> !after.contains(service)).forEach(concerned::add);
    after.stream().filter(service -> !before.contains(service)).forEach(concerned::add);
    return concerned;
  }

  /// Whether the endpoint made of it would differ.
  private static boolean changedItself(EndpointPod old, EndpointPod now) {
    return !old.metadata().uid().equals(now.metadata().uid())
        || !old.metadata().deletionTimestamp().equals(now.metadata().deletionTimestamp())
        || old.ready() != now.ready()
        || old.finished() != now.finished()
        || !old.addresses().equals(now.addresses())
        || !old.nodeName().equals(now.nodeName())
        || !old.hostname().equals(now.hostname())
        || !old.subdomain().equals(now.subdomain())
        || !old.namedPorts().equals(now.namedPorts());
  }
}
