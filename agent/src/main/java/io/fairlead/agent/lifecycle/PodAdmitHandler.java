package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/// Whether a node can take a pod. Pure.
public final class PodAdmitHandler {
  private PodAdmitHandler() {}

  /// Why not, as reason and message; empty when it can.
  ///
  /// @param others pods the node has taken and that have not ended
  /// @param most how many pods the node takes
  public static Optional<Map.Entry<String, String>> refusal(
      Pod pod, Collection<Pod> others, int most) {
    if (others.size() >= most) {
      return Optional.of(
          Map.entry(
              "OutOfpods",
              "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: "
                  + others.size()
                  + ", capacity: "
                  + most));
    }
    boolean clash =
        others.stream()
            .flatMap(Pod::allContainers)
            .flatMap(container -> container.ports().stream())
            .anyMatch(taken -> ports(pod).anyMatch(wanted -> clash(wanted, taken)));
    return clash
        ? Optional.of(
            Map.entry(
                "NodePorts",
                "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for"
                    + " the requested pod ports"))
        : Optional.empty();
  }

  private static java.util.stream.Stream<Container.Port> ports(Pod pod) {
    return pod.allContainers().flatMap(container -> container.ports().stream());
  }

  private static boolean clash(Container.Port one, Container.Port other) {
    return one.hostPort() > 0
        && one.hostPort() == other.hostPort()
        && one.protocol().equals(other.protocol())
        && (everywhere(one) || everywhere(other) || one.hostAddress().equals(other.hostAddress()));
  }

  private static boolean everywhere(Container.Port port) {
    return port.hostAddress().isEmpty()
        || port.hostAddress().equals("0.0.0.0")
        || port.hostAddress().equals("::");
  }
}
