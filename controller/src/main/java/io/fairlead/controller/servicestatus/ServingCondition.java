package io.fairlead.controller.servicestatus;

import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.EndpointReason;
import io.fairlead.controller.serving.EndpointReasonFinder;
import io.fairlead.controller.serving.NotReadyCause;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.TargetPort;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What a Service's status says about whether any pod serves. Pure.
///
/// Pods that finished or are on their way out do not count: that they do not serve is nothing to
/// tell anybody.
///
/// @param reason one word for programs
/// @param message for people
record ServingCondition(String status, String reason, String message) {
  private static final int TOLD = 3;

  static final ServingCondition SERVES =
      new ServingCondition("True", "PodsServe", "at least one pod serves");
  static final ServingCondition NO_PODS =
      new ServingCondition("Unknown", "NoPods", "the selector picks no pod that could serve");

  /// @param pods those its selector picks
  static ServingCondition of(
      Service service, List<EndpointPod> pods, Function<String, Optional<EndpointNode>> node) {
    List<EndpointPod> candidates =
        pods.stream().filter(pod -> !pod.finished() && !pod.terminating()).toList();
    if (candidates.isEmpty()) {
      return NO_PODS;
    }
    for (EndpointPod pod : candidates) {
      if (serves(service, pod)) {
        return SERVES;
      }
    }
    Map<String, EndpointNode> nodes = new HashMap<>();
    candidates.forEach(
        pod -> node.apply(pod.nodeName()).ifPresent(found -> nodes.put(found.name(), found)));
    List<EndpointReason> first =
        EndpointReasonFinder.selected(service, candidates.getFirst(), nodes);
    String told =
        candidates.stream()
            .limit(TOLD)
            .map(
                pod ->
                    pod.key().name()
                        + " "
                        + words(EndpointReasonFinder.selected(service, pod, nodes)))
            .collect(Collectors.joining("; "));
    int more = candidates.size() - TOLD;
    return new ServingCondition(
        "False",
        first.getFirst().code(),
        (candidates.size() == 1 ? "the only pod does not serve: " : count(candidates.size()))
            + told
            + (more > 0 ? "; and " + more + " more" : ""));
  }

  private static String count(int pods) {
    return "none of " + pods + " pods serves: ";
  }

  /// Whether it is a ready endpoint of at least one port in at least one family.
  private static boolean serves(Service service, EndpointPod pod) {
    return (pod.ready() || service.publishNotReadyAddresses())
        && service.servedFamilies().stream().anyMatch(family -> pod.address(family).isPresent())
        && (service.ports().isEmpty()
            || service.ports().stream().anyMatch(port -> pod.resolve(port).isPresent()));
  }

  private static String words(List<EndpointReason> reasons) {
    return reasons.stream().map(ServingCondition::words).collect(Collectors.joining(", "));
  }

  private static String words(EndpointReason reason) {
    return switch (reason) {
      case EndpointReason.Finished(var phase) -> "ended (" + phase + ")";
      case EndpointReason.NoAddress(var phase) ->
          "has no address" + (phase.isEmpty() ? "" : " (" + phase + ")");
      case EndpointReason.OtherFamily(var wanted, _) -> "has no address of family " + wanted;
      case EndpointReason.NoNode(var node) ->
          node.isEmpty() ? "is bound to no node" : "is on node " + node + ", which is not there";
      case EndpointReason.NodeLost(var node, _) -> "is on node " + node + ", which does not report";
      case EndpointReason.Terminating(_, _) -> "is being deleted";
      case EndpointReason.NotReady(_, var holdups) ->
          "is not ready"
              + holdups.stream()
                  .map(ServingCondition::words)
                  .collect(Collectors.joining(", ", " (", ")"));
      case EndpointReason.PortUnknown(var ports, _) ->
          "declares no port named "
              + ports.stream()
                  .map(port -> targetName(port.target()))
                  .collect(Collectors.joining(" or "));
      case EndpointReason.NearlySelected(var key, var wanted, _) -> "lacks " + key + "=" + wanted;
    };
  }

  private static String targetName(TargetPort target) {
    return switch (target) {
      case TargetPort.Named(var name) -> name;
      case TargetPort.Numeric(var number) -> Integer.toString(number);
    };
  }

  private static String words(NotReadyCause holdup) {
    String what =
        switch (holdup.kind()) {
          case CONTAINER_WAITING -> "container " + holdup.subject() + " waits";
          case CONTAINER_TERMINATED -> "container " + holdup.subject() + " ended";
          case STARTUP_PROBE -> "startup probe of " + holdup.subject();
          case READINESS_PROBE -> "readiness probe of " + holdup.subject();
          case READINESS_GATE -> "readiness gate " + holdup.subject();
          case CONDITION -> "condition " + holdup.subject();
          case NO_STATUS -> "nobody has reported on it";
        };
    return holdup.detail().isEmpty() ? what : what + ": " + holdup.detail();
  }
}
