package io.fairlead.controller.scheduler;

import io.fairlead.client.objects.V1Pod;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A port of the node itself that a pod wants to have.
record PodHostPort(String address, String protocol, int port) {
  private static final String ANY = "0.0.0.0";

  static Set<PodHostPort> of(V1Pod.Spec spec) {
    Set<PodHostPort> ports = new LinkedHashSet<>();
    add(spec.containers(), ports);
    add(spec.initContainers(), ports);
    return ports;
  }

  private static void add(List<V1Pod.Container> containers, Set<PodHostPort> ports) {
    for (V1Pod.Container container : containers) {
      for (V1Pod.Port port : container.ports()) {
        if (port.hostPort() > 0) {
          String address = port.hostIp().isEmpty() ? ANY : port.hostIp();
          ports.add(new PodHostPort(address, port.protocol(), port.hostPort()));
        }
      }
    }
  }

  /// All addresses clash with each.
  boolean clashes(PodHostPort other) {
    return port == other.port
        && protocol.equals(other.protocol)
        && (address.equals(ANY) || other.address.equals(ANY) || address.equals(other.address));
  }
}
