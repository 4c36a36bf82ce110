package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import tools.jackson.databind.node.ObjectNode;

/// Where a trace begins: a pod, or a node.
///
/// @param name of the pod or node, for people
/// @param uid of the pod; empty for a node
/// @param address of the pod; empty for a node
record TraceSource(String name, String uid, String node, String address) {
  boolean isPod() {
    return !uid.isEmpty();
  }

  /// `pod client-0` or `node a`.
  String text() {
    return (isPod() ? "pod " : "node ") + name;
  }

  ObjectNode document() {
    ObjectNode from = Json.object();
    return isPod() ? from.put("pod", uid) : from.put("node", true);
  }

  /// Reads `pod/NAME` or `node/NAME`; empty text means the node of this machine.
  static TraceSource find(
      Client client, String text, String namespace, NodeInquiry nodes, Arguments arguments) {
    if (text.isEmpty()) {
      String node =
          nodes
              .localNode()
              .orElseThrow(
                  () ->
                      new FairleadException(
                          ErrorCode.FL195, "this machine", "no proxy of this node answers"));
      return new TraceSource(node, "", node, "");
    }
    int slash = text.indexOf('/');
    String kind = slash < 0 ? "" : text.substring(0, slash);
    String name = text.substring(slash + 1);
    return switch (kind) {
      case "node", "nodes", "no" -> new TraceSource(name, "", name, "");
      case "pod", "pods", "po" -> pod(client, new ObjectKey(namespace, name));
      default ->
          throw new FairleadException(
              ErrorCode.FL303, arguments.verb().operand(), text, "pod/NAME, node/NAME");
    };
  }

  static TraceSource pod(Client client, ObjectKey key) {
    ObjectNode pod =
        client
            .find(ResourceType.PODS, key)
            .orElseThrow(
                () ->
                    new FairleadException(ErrorCode.FL195, key.toString(), "there is no such pod"));
    String node = Json.textOr(pod, "", "spec", "nodeName");
    String address = Json.textOr(pod, "", "status", "podIP");
    if (node.isEmpty() || address.isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL195, key.toString(), "the pod has no node or no address yet");
    }
    return new TraceSource(key.name(), Json.textOr(pod, "", "metadata", "uid"), node, address);
  }
}
