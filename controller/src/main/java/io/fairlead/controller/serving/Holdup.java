package io.fairlead.controller.serving;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// One thing that keeps a pod from being ready, as its status tells.
///
/// @param subject the container, or the condition
/// @param detail what is known about it: a probe (`GET :8080/healthz`), a reason
///   (`CrashLoopBackOff`), a message; may be empty
public record Holdup(Kind kind, String subject, String detail) {
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
    /// Nobody has reported on the pod yet.
    NO_STATUS
  }

  static JsonNode condition(JsonNode podStatus, String type) {
    JsonNode found = podStatus.path("no such member");
    for (JsonNode condition : podStatus.path("conditions")) {
      if (type.equals(Json.text(condition, "type"))) {
        found = condition;
      }
    }
    return found;
  }

  /// What holds up a pod that is not ready; never empty.
  static List<Holdup> of(JsonNode spec, JsonNode status) {
    List<Holdup> holdups = new ArrayList<>();
    for (JsonNode container : status.path("containerStatuses")) {
      if (!container.path("ready").asBoolean(false)) {
        holdups.add(container(spec, container));
      }
    }
    for (JsonNode gate : spec.path("readinessGates")) {
      String type = Json.textOr(gate, "", "conditionType");
      JsonNode condition = condition(status, type);
      if (!condition.path("status").asString("").equals("True")) {
        holdups.add(new Holdup(Kind.READINESS_GATE, type, words(condition)));
      }
    }
    if (holdups.isEmpty()) {
      JsonNode ready = condition(status, "Ready");
      holdups.add(
          ready.isMissingNode()
              ? new Holdup(Kind.NO_STATUS, "", "")
              : new Holdup(Kind.CONDITION, "Ready", words(ready)));
    }
    return holdups;
  }

  private static Holdup container(JsonNode spec, JsonNode reported) {
    String name = Slim.shared(reported, "name");
    JsonNode waiting = Json.at(reported, "state", "waiting");
    if (waiting.isObject()) {
      return new Holdup(Kind.CONTAINER_WAITING, name, words(waiting));
    }
    JsonNode ended = Json.at(reported, "state", "terminated");
    if (ended.isObject()) {
      return new Holdup(Kind.CONTAINER_TERMINATED, name, words(ended));
    }
    JsonNode declared = declared(spec, name);
    boolean starting = declared.has("startupProbe") && !reported.path("started").asBoolean(false);
    return starting
        ? new Holdup(Kind.STARTUP_PROBE, name, probe(declared.path("startupProbe")))
        : new Holdup(Kind.READINESS_PROBE, name, probe(declared.path("readinessProbe")));
  }

  private static JsonNode declared(JsonNode spec, String name) {
    for (JsonNode container : spec.path("containers")) {
      if (name.equals(Json.text(container, "name"))) {
        return container;
      }
    }
    return spec.path("no such member");
  }

  /// `GET :8080/healthz`, `TCP :5432`, `gRPC :9090`, `exec pg_isready`; empty without a probe.
  private static String probe(JsonNode probe) {
    if (probe.has("httpGet")) {
      return "GET :"
          + probe.path("httpGet").path("port").asString("")
          + Json.textOr(probe, "/", "httpGet", "path");
    }
    if (probe.has("tcpSocket")) {
      return "TCP :" + probe.path("tcpSocket").path("port").asString("");
    }
    if (probe.has("grpc")) {
      return "gRPC :" + probe.path("grpc").path("port").asString("");
    }
    return probe.has("exec")
        ? "exec " + probe.path("exec").path("command").path(0).asString("")
        : "";
  }

  /// `reason: message`, or the one there is.
  private static String words(JsonNode state) {
    String reason = Json.textOr(state, "", "reason");
    String message = Json.textOr(state, "", "message");
    return reason.isEmpty() || message.isEmpty() ? reason + message : reason + ": " + message;
  }
}
