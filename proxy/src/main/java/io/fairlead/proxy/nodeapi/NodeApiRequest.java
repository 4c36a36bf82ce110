package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// One request to the node API.
///
/// @param method `GET` or `POST`
/// @param path what is asked for: `about`, `rules/summary`
/// @param body of a POST; empty otherwise
/// @param user who asks, for the limits; `root` for those who come by the Unix socket
/// @param pods the pods that the request may name
public record NodeApiRequest(
    String method,
    String path,
    Map<String, String> query,
    ObjectNode body,
    String user,
    NodePodDirectory pods) {
  public NodeApiRequest {
    query = Map.copyOf(query);
  }

  /// As it comes through the Unix socket: `{"method", "path", "query": {}, "body": {}}`, and `pod`
  /// where the sender knows the pod that is named.
  ///
  /// @param known the pods of this node, for a message that brings none
  public static NodeApiRequest of(ObjectNode message, String user, NodePodDirectory known) {
    Map<String, String> query = new HashMap<>();
    message
        .path("query")
        .properties()
        .forEach(each -> query.put(each.getKey(), each.getValue().asString("")));
    return new NodeApiRequest(
        Json.textOr(message, "GET", "method"),
        Json.textOr(message, "", "path"),
        query,
        message.path("body") instanceof ObjectNode body ? body : Json.object(),
        user,
        message.path("pod") instanceof ObjectNode pod ? NodePodDirectory.of(pod) : known);
  }

  /// The opposite.
  public ObjectNode toJson() {
    ObjectNode message = Json.object().put("method", method).put("path", path);
    ObjectNode named = message.putObject("query");
    query.forEach(named::put);
    message.set("body", body);
    if (!podUid().isEmpty()) {
      pods.find(podUid()).ifPresent(pod -> message.set("pod", pod.toJson()));
    }
    return message;
  }

  /// The pod it names; empty when it names none.
  public String podUid() {
    return isPost() ? Json.textOr(body, "", "from", "pod") : text("pod");
  }

  public boolean isPost() {
    return method.equals("POST");
  }

  /// A parameter; empty when it is not there.
  public String text(String name) {
    return query.getOrDefault(name, "");
  }
}
