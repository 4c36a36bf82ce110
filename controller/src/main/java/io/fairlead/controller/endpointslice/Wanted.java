package io.fairlead.controller.endpointslice;

import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.controller.serving.Node;
import io.fairlead.controller.serving.Pod;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePort;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The endpoints a Service should have in one family, grouped by the ports they serve. Pods may
/// give different numbers to a port that goes by a name, so one Service may have several groups.
final class Wanted {
  /// @param ports in the Service's order
  record Group(List<SlicePort> ports, List<Endpoint> endpoints) {}

  private final Service service;
  private final Family family;
  private final Function<String, Optional<Node>> nodes;
  private final Map<Set<SlicePort>, Group> groups = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  private Wanted(Service service, Family family, Function<String, Optional<Node>> nodes) {
    this.service = service;
    this.family = family;
    this.nodes = nodes;
  }

  /// @param pods those the Service selects, in an order that lasts
  static Wanted of(
      Service service, Family family, List<Pod> pods, Function<String, Optional<Node>> nodes) {
    Wanted wanted = new Wanted(service, family, nodes);
    pods.forEach(wanted::add);
    return wanted;
  }

  Map<Set<SlicePort>, Group> groups() {
    return groups;
  }

  /// Pods that could not be published although they should, in the words of the event.
  List<String> problems() {
    return problems;
  }

  private void add(Pod pod) {
    if (!pod.addressable() || pod.address(family).isEmpty()) {
      return;
    }
    Optional<Node> node = nodes.apply(pod.nodeName());
    if (node.isEmpty() && !service.publishNotReadyAddresses()) {
      problems.add(
          "skipping Pod "
              + pod.key().name()
              + " for Service "
              + service.key()
              + ": Node "
              + pod.nodeName()
              + " Not Found");
      return;
    }
    List<SlicePort> ports = ports(pod);
    groups
        .computeIfAbsent(new HashSet<>(ports), _ -> new Group(ports, new ArrayList<>()))
        .endpoints()
        .add(endpoint(pod, node.map(Node::zone).orElse("")));
  }

  private List<SlicePort> ports(Pod pod) {
    List<SlicePort> ports = new ArrayList<>(service.ports().size());
    for (ServicePort port : service.ports()) {
      pod.resolve(port)
          .ifPresent(
              number ->
                  ports.add(
                      new SlicePort(
                          port.name(), port.protocol(), number, port.appProtocol().orElse(""))));
    }
    return ports;
  }

  private Endpoint endpoint(Pod pod, String zone) {
    List<String> addresses = new ArrayList<>(1);
    pod.addresses().stream()
        .filter(address -> address.family() == family)
        .forEach(address -> addresses.add(address.text()));
    return new Endpoint(
        addresses,
        Conditions.of(service, pod),
        pod.hostnameIn(service),
        Target.of(pod),
        pod.nodeName(),
        zone,
        Hints.NONE);
  }
}
