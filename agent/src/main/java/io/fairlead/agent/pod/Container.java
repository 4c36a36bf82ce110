package io.fairlead.agent.pod;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One container of a pod's spec.
///
/// @param sidecar an init container that goes on running beside the others
/// @param body the whole spec, for what is read rarely; never changed
public record Container(
    String name,
    String image,
    String pullPolicy,
    boolean sidecar,
    List<String> command,
    List<String> arguments,
    List<Port> ports,
    Optional<Probe> startup,
    Optional<Probe> liveness,
    Optional<Probe> readiness,
    Optional<HandlerAction> postStart,
    Optional<HandlerAction> preStop,
    ObjectNode body) {
  public Container {
    command = List.copyOf(command);
    arguments = List.copyOf(arguments);
    ports = List.copyOf(ports);
  }

  /// A port the container says it listens on.
  ///
  /// @param hostPort the node's port that leads to it, 0 for none
  public record Port(String name, int number, int hostPort, String hostAddress, String protocol) {}

  static Container of(ObjectNode body) {
    List<Port> ports = new ArrayList<>();
    for (JsonNode port : body.path("ports")) {
      ports.add(
          new Port(
              Json.textOr(port, "", "name"),
              port.path("containerPort").asInt(0),
              port.path("hostPort").asInt(0),
              Json.textOr(port, "", "hostIP"),
              Json.textOr(port, "TCP", "protocol")));
    }
    return new Container(
        Json.textOr(body, "", "name"),
        Json.textOr(body, "", "image"),
        Json.textOr(body, "IfNotPresent", "imagePullPolicy"),
        Json.textOr(body, "", "restartPolicy").equals("Always"),
        Pod.texts(body.path("command")),
        Pod.texts(body.path("args")),
        ports,
        Probe.of(body.path("startupProbe")),
        Probe.of(body.path("livenessProbe")),
        Probe.of(body.path("readinessProbe")),
        HandlerAction.of(Json.at(body, "lifecycle", "postStart")),
        HandlerAction.of(Json.at(body, "lifecycle", "preStop")),
        body);
  }

  public Optional<Probe> probe(Probe.Kind kind) {
    return switch (kind) {
      case STARTUP -> startup;
      case LIVENESS -> liveness;
      case READINESS -> readiness;
    };
  }

  /// The number of a port given by number or by a name of this container; empty when there is none.
  public Optional<Integer> port(String given) {
    if (given.matches("[0-9]{1,5}")) {
      return Optional.of(Integer.parseInt(given));
    }
    return ports.stream().filter(port -> port.name().equals(given)).map(Port::number).findFirst();
  }

  /// Changes when the container must be replaced. Only the image can change in a living pod.
  public String hash() {
    return Integer.toHexString(image.hashCode());
  }
}
