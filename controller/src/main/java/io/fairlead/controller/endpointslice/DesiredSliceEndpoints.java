package io.fairlead.controller.endpointslice;

import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePortSpec;
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
final class DesiredSliceEndpoints {
  /// @param ports in the Service's order
  record Group(List<SlicePort> ports, List<SliceEndpoint> endpoints) {}

  private final Service service;
  private final Family family;
  private final Function<String, Optional<EndpointNode>> nodes;
  private final Map<Set<SlicePort>, Group> groups = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  private DesiredSliceEndpoints(
      Service service, Family family, Function<String, Optional<EndpointNode>> nodes) {
    this.service = service;
    this.family = family;
    this.nodes = nodes;
  }

  /// @param pods those the Service selects, in an order that lasts
  static DesiredSliceEndpoints of(
      Service service,
      Family family,
      List<EndpointPod> pods,
      Function<String, Optional<EndpointNode>> nodes) {
    DesiredSliceEndpoints wanted = new DesiredSliceEndpoints(service, family, nodes);
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

  private void add(EndpointPod pod) {
    if (!pod.addressable() || pod.address(family).isEmpty()) {
      return;
    }
    Optional<EndpointNode> node = nodes.apply(pod.nodeName());
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
        .add(endpoint(pod, node.map(EndpointNode::zone).orElse("")));
  }

  private List<SlicePort> ports(EndpointPod pod) {
    List<SlicePort> ports = new ArrayList<>(service.ports().size());
    for (ServicePortSpec port : service.ports()) {
      pod.resolve(port)
          .ifPresent(
              number ->
                  ports.add(
                      new SlicePort(
                          port.name(), port.protocol(), number, port.appProtocol().orElse(""))));
    }
    return ports;
  }

  private SliceEndpoint endpoint(EndpointPod pod, String zone) {
    List<String> addresses = new ArrayList<>(1);
    pod.addresses().stream()
        .filter(address -> address.family() == family)
        .forEach(address -> addresses.add(address.text()));
    return new SliceEndpoint(
        addresses,
        EndpointConditions.of(service, pod),
        pod.hostnameIn(service),
        EndpointTargetRef.of(pod),
        pod.nodeName(),
        zone,
        EndpointHints.NONE);
  }
}
