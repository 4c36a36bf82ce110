package io.fairlead.insight.explain;

import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.serving.ContainerPort;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.EndpointReason;
import io.fairlead.controller.serving.NotReadyCause;
import io.fairlead.controller.serving.PodAddress;
import io.fairlead.controller.serving.ServicePortSpec;
import io.fairlead.controller.serving.TargetPort;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Turns the reasons why a pod is left out into findings.
final class PodReasons {
  private PodReasons() {}

  /// What a finding needs of its surroundings.
  ///
  /// @param status the whole pod; empty when only its labels are known
  private record About(EndpointPod pod, Optional<V1Pod> status) {
    Finding found(FindingCode code, String... values) {
      Map<String, String> all = new TreeMap<>();
      all.put("pod", pod.key().name());
      all.put("namespace", pod.key().namespace());
      for (int i = 0; i + 1 < values.length; i += 2) {
        all.put(values[i], values[i + 1]);
      }
      return Finding.of(
          code,
          io.fairlead.insight.finding.Subject.pod(pod.key().namespace(), pod.key().name()),
          Source.API,
          all);
    }
  }

  /// One finding for each reason, the weightiest first.
  static List<Finding> of(EndpointPod pod, Optional<V1Pod> status, List<EndpointReason> reasons) {
    About about = new About(pod, status);
    List<Finding> findings = new ArrayList<>();
    for (EndpointReason reason : reasons) {
      // What a pod that is deleted or whose node is lost lacks besides says nothing new.
      if (reason instanceof EndpointReason.NotReady && !findings.isEmpty()) {
        continue;
      }
      findings.add(of(about, reason));
    }
    return findings;
  }

  private static Finding of(About about, EndpointReason reason) {
    return switch (reason) {
      case EndpointReason.Finished(String phase) -> about.found(FindingCode.FL115, "phase", phase);
      case EndpointReason.NoAddress(String _) -> noAddress(about);
      case EndpointReason.OtherFamily(List<Family> wanted, List<PodAddress> has) ->
          about.found(
              FindingCode.FL114,
              "has",
              has.stream().map(PodAddress::text).collect(Collectors.joining(", ")),
              "wanted",
              wanted.stream().map(Family::toString).collect(Collectors.joining(", ")));
      case EndpointReason.NoNode(String node) ->
          about.found(FindingCode.FL119, "node", node.isEmpty() ? "none" : node);
      case EndpointReason.NodeLost(String node, var since) ->
          about.found(
              FindingCode.FL117,
              "node",
              node,
              "since",
              since.map(Object::toString).orElse("unknown"));
      case EndpointReason.Terminating(String since, boolean serving) ->
          about.found(FindingCode.FL113, "since", since, "serving", serving ? "serves" : "silent");
      case EndpointReason.NotReady(var since, List<NotReadyCause> causes) ->
          notReady(about, since.map(Object::toString).orElse("unknown"), causes.getFirst());
      case EndpointReason.PortUnknown(List<ServicePortSpec> ports, boolean _) ->
          port(about, ports.getFirst());
      case EndpointReason.NearlySelected(String key, String wanted, Optional<String> _) ->
          about.found(FindingCode.FL102, "key", key, "selector", key + "=" + wanted);
    };
  }

  private static Finding noAddress(About about) {
    Optional<V1Pod> status = about.status();
    boolean unschedulable =
        status
            .flatMap(pod -> pod.status().condition("PodScheduled"))
            .filter(condition -> !condition.isTrue())
            .isPresent();
    if (unschedulable) {
      return about.found(FindingCode.FL111, "why", "unschedulable");
    }
    // A container that cannot start says more than that its pod has no address.
    return status
        .flatMap(
            pod ->
                pod.status().containers().stream()
                    .filter(each -> each.state().equals("waiting"))
                    .filter(each -> !each.reason().isEmpty())
                    .filter(each -> !each.reason().equals("ContainerCreating"))
                    .findFirst())
        .map(each -> container(about, each.name(), each.reason()))
        .orElseGet(
            () ->
                about.found(
                    FindingCode.FL111,
                    "why",
                    about.pod().nodeName().isEmpty() ? "unscheduled" : "starting"));
  }

  private static Finding notReady(About about, String since, NotReadyCause cause) {
    return switch (cause.kind()) {
      case CONTAINER_WAITING, CONTAINER_TERMINATED ->
          container(about, cause.subject(), cause.detail());
      case STARTUP_PROBE -> about.found(FindingCode.FL118, "probe", cause.detail());
      case READINESS_GATE -> about.found(FindingCode.FL112, "gate", cause.subject());
      case READINESS_PROBE ->
          about.found(
              FindingCode.FL110,
              "since",
              since,
              "probe",
              cause.detail(),
              "cause",
              cause.detail().isEmpty() ? "container" : "probe",
              "container",
              cause.subject());
      case CONDITION ->
          about.found(
              FindingCode.FL110,
              "since",
              since,
              "probe",
              "",
              "cause",
              cause.detail().isEmpty() ? "condition" : "detail",
              "detail",
              cause.detail());
      case NO_STATUS ->
          about.found(FindingCode.FL110, "since", since, "probe", "", "cause", "silent");
    };
  }

  private static Finding container(About about, String container, String reason) {
    int restarts =
        about
            .status()
            .flatMap(
                pod ->
                    pod.status().containers().stream()
                        .filter(each -> each.name().equals(container))
                        .findFirst())
            .map(V1Pod.ContainerStatus::restartCount)
            .orElse(0);
    return about.found(
        FindingCode.FL116,
        "container",
        container,
        "reason",
        // What follows the word is in the pod's status.
        reason.isEmpty() ? "ContainerCreating" : reason.split(":", 2)[0],
        "restarts",
        Integer.toString(restarts));
  }

  private static Finding port(About about, ServicePortSpec port) {
    String wanted = port.target() instanceof TargetPort.Named(String name) ? name : "";
    List<ContainerPort> declared = about.pod().namedPorts();
    Optional<ContainerPort> other =
        declared.stream().filter(each -> each.name().equals(wanted)).findFirst();
    if (other.isPresent()) {
      return about.found(
          FindingCode.FL121,
          "targetPort",
          wanted,
          "has",
          other.get().protocol(),
          "wanted",
          port.protocol(),
          "port",
          port.name());
    }
    String names =
        declared.stream().map(ContainerPort::name).distinct().collect(Collectors.joining(", "));
    return about.found(
        FindingCode.FL120,
        "targetPort",
        wanted,
        "names",
        names.isEmpty() ? "none" : names,
        "port",
        port.name());
  }
}
