package io.fairlead.controller.serving;

import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One thing that keeps a pod from being ready, as its status says.
///
/// @param subject the container, or the condition
/// @param detail what is known about it: a probe (`GET :8080/healthz`), a reason
///   (`CrashLoopBackOff`), a message; may be empty
public record NotReadyCause(Kind kind, String subject, String detail) {
  /// What sort of thing it is.
  public enum Kind {
    /// A container is not started: its image is pulled, it crashed and waits.
    CONTAINER_WAITING,
    /// A container ended.
    CONTAINER_TERMINATED,
    /// A container runs but its startup probe has not succeeded.
    STARTUP_PROBE,
    /// A container runs but its readiness probe fails.
    READINESS_PROBE,
    /// A condition the pod itself lists among its readiness gates is not True.
    READINESS_GATE,
    /// The condition Ready is not True and names its reason.
    CONDITION,
    /// The node has not reported on the pod yet.
    NO_STATUS
  }

  /// What holds up a pod that is not ready; never empty.
  static List<NotReadyCause> of(V1Pod.Spec spec, V1Pod.Status status) {
    List<NotReadyCause> holdups = new ArrayList<>();
    for (V1Pod.ContainerStatus container : status.containers()) {
      if (!container.ready()) {
        holdups.add(container(spec, container));
      }
    }
    for (String gate : spec.readinessGates()) {
      Optional<V1Condition> condition = status.condition(gate);
      if (condition.isEmpty() || !condition.get().isTrue()) {
        holdups.add(
            new NotReadyCause(
                Kind.READINESS_GATE, gate, condition.map(NotReadyCause::words).orElse("")));
      }
    }
    if (holdups.isEmpty()) {
      holdups.add(
          status
              .condition("Ready")
              .map(ready -> new NotReadyCause(Kind.CONDITION, "Ready", words(ready)))
              .orElseGet(() -> new NotReadyCause(Kind.NO_STATUS, "", "")));
    }
    return holdups;
  }

  private static NotReadyCause container(V1Pod.Spec spec, V1Pod.ContainerStatus reported) {
    String name = reported.name();
    switch (reported.state()) {
      case "waiting" -> {
        String words = words(reported.reason(), reported.message());
        return new NotReadyCause(Kind.CONTAINER_WAITING, name, words);
      }
      case "terminated" -> {
        String words = words(reported.reason(), reported.message());
        return new NotReadyCause(Kind.CONTAINER_TERMINATED, name, words);
      }
      default -> {
        V1Pod.Container declared = declared(spec, name);
        V1Pod.Probe startup = declared == null ? null : declared.startupProbe();
        V1Pod.Probe readiness = declared == null ? null : declared.readinessProbe();
        return startup != null && !reported.started()
            ? new NotReadyCause(Kind.STARTUP_PROBE, name, probe(startup))
            : new NotReadyCause(Kind.READINESS_PROBE, name, probe(readiness));
      }
    }
  }

  private static V1Pod.@Nullable Container declared(V1Pod.Spec spec, String name) {
    for (V1Pod.Container container : spec.containers()) {
      if (container.name().equals(name)) {
        return container;
      }
    }
    return null;
  }

  /// `GET :8080/healthz`, `TCP :5432`, `gRPC :9090`, `exec pg_isready`; empty without a probe.
  private static String probe(V1Pod.@Nullable Probe probe) {
    if (probe == null) {
      return "";
    }
    return switch (probe.handler()) {
      case "httpGet" -> "GET :" + probe.port() + (probe.path().isEmpty() ? "/" : probe.path());
      case "tcpSocket" -> "TCP :" + probe.port();
      case "grpc" -> "gRPC :" + probe.port();
      case "exec" -> "exec " + probe.command();
      default -> "";
    };
  }

  private static String words(V1Condition condition) {
    return words(condition.reason(), condition.message());
  }

  /// `reason: message`, or the one there is.
  private static String words(String reason, String message) {
    return reason.isEmpty() || message.isEmpty() ? reason + message : reason + ": " + message;
  }
}
