package io.fairlead.controller.serving;

import io.fairlead.api.net.IpAddress.Family;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the reasons why pods are left out. Pure.
public final class EndpointReasonFinder {
  private EndpointReasonFinder() {}

  /// The pods that a Service selects or nearly selects and that are not ready endpoints of all its
  /// ports and families, in the order of their names.
  public static List<ExcludedPod> of(
      Service service, Collection<EndpointPod> pods, Map<String, EndpointNode> nodes) {
    List<ExcludedPod> found = new ArrayList<>();
    if (!service.selectsPods()) {
      return found;
    }
    for (EndpointPod pod : pods) {
      List<EndpointReason> reasons =
          service.selects(pod.labels()) ? selected(service, pod, nodes) : nearly(service, pod);
      if (!reasons.isEmpty()) {
        found.add(new ExcludedPod(pod, reasons));
      }
    }
    found.sort(Comparator.comparing(left -> left.pod().key().name()));
    return found;
  }

  /// Why a selected pod is left out; empty when it is a ready endpoint of every port and family.
  public static List<EndpointReason> selected(
      Service service, EndpointPod pod, Map<String, EndpointNode> nodes) {
    if (pod.finished()) {
      return List.of(new EndpointReason.Finished(pod.phase()));
    }
    if (pod.addresses().isEmpty()) {
      return List.of(new EndpointReason.NoAddress(pod.phase()));
    }
    List<EndpointReason> reasons = new ArrayList<>();
    family(service, pod).ifPresent(reasons::add);
    node(service, pod, nodes).ifPresent(reasons::add);
    if (!service.publishNotReadyAddresses()) {
      pod.metadata()
          .deletionTimestamp()
          .ifPresent(since -> reasons.add(new EndpointReason.Terminating(since, pod.ready())));
      if (!pod.ready()) {
        reasons.add(new EndpointReason.NotReady(pod.readyChanged(), pod.holdups()));
      }
    }
    ports(service, pod).ifPresent(reasons::add);
    return reasons;
  }

  private static Optional<EndpointReason> family(Service service, EndpointPod pod) {
    List<Family> wanted = service.servedFamilies();
    // A Service without written families takes what it gets.
    boolean served =
        service.families().isEmpty()
            ? wanted.stream().anyMatch(family -> pod.address(family).isPresent())
            : wanted.stream().allMatch(family -> pod.address(family).isPresent());
    return served
        ? Optional.empty()
        : Optional.of(new EndpointReason.OtherFamily(wanted, pod.addresses()));
  }

  private static Optional<EndpointReason> node(
      Service service, EndpointPod pod, Map<String, EndpointNode> nodes) {
    EndpointNode node = nodes.get(pod.nodeName());
    if (node == null) {
      return service.publishNotReadyAddresses()
          ? Optional.empty()
          : Optional.of(new EndpointReason.NoNode(pod.nodeName()));
    }
    return node.ready() || pod.ready()
        ? Optional.empty()
        : Optional.of(new EndpointReason.NodeLost(node.name(), node.readyChanged()));
  }

  private static Optional<EndpointReason> ports(Service service, EndpointPod pod) {
    List<ServicePortSpec> unknown =
        service.ports().stream().filter(port -> pod.resolve(port).isEmpty()).toList();
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new EndpointReason.PortUnknown(unknown, unknown.size() == service.ports().size()));
  }

  /// A pod that misses one demand of several, or the only one by a slip: other letters in another
  /// case or one letter off, or the value under another key.
  private static List<EndpointReason> nearly(Service service, EndpointPod pod) {
    List<Map.Entry<String, String>> missed =
        service.selector().entrySet().stream()
            .filter(wanted -> !wanted.getValue().equals(pod.labels().get(wanted.getKey())))
            .toList();
    if (missed.size() != 1 || pod.finished()) {
      return List.of();
    }
    String key = missed.getFirst().getKey();
    String wanted = missed.getFirst().getValue();
    Optional<String> has = Optional.ofNullable(pod.labels().get(key));
    boolean slip =
        has.map(value -> closeTo(value, wanted))
            .orElseGet(() -> pod.labels().containsValue(wanted));
    return service.selector().size() > 1 || slip
        ? List.of(new EndpointReason.NearlySelected(key, wanted, has))
        : List.of();
  }

  /// Equal but for case, or one letter added, dropped or changed.
  private static boolean closeTo(String has, String wanted) {
    if (has.equalsIgnoreCase(wanted)) {
      return true;
    }
    int shorter = Math.min(has.length(), wanted.length());
    int start = 0;
    while (start < shorter && has.charAt(start) == wanted.charAt(start)) {
      start++;
    }
    int end = 0;
    while (end < shorter - start
        && has.charAt(has.length() - 1 - end) == wanted.charAt(wanted.length() - 1 - end)) {
      end++;
    }
    return has.length() - start - end <= 1 && wanted.length() - start - end <= 1 && shorter > 1;
  }
}
