package io.fairlead.controller.serving;

import io.fairlead.client.objects.V1Pod;
import java.util.ArrayList;
import java.util.List;

/// A port a pod declares under a name. Ports without one cannot be asked for and are not kept.
public record ContainerPort(String name, String protocol, int port) {
  /// The named ports of the containers, then those of sidecars (init containers that are restarted
  /// always); plain init containers have ended before anybody may connect.
  static List<ContainerPort> named(V1Pod.Spec spec) {
    List<ContainerPort> ports = new ArrayList<>(1);
    for (V1Pod.Container container : spec.containers()) {
      collect(container, ports);
    }
    for (V1Pod.Container container : spec.initContainers()) {
      if (container.isSidecar()) {
        collect(container, ports);
      }
    }
    return ports;
  }

  private static void collect(V1Pod.Container container, List<ContainerPort> ports) {
    for (V1Pod.Port port : container.ports()) {
      if (!port.name().isEmpty()) {
        ports.add(new ContainerPort(port.name(), port.protocol(), port.containerPort()));
      }
    }
  }
}
