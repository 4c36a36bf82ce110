package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Finds the pods of this node. Safe for many threads.
public interface NodePodDirectory {
  /// No agent is in this process: no pod is known.
  NodePodDirectory NONE = _ -> Optional.empty();

  /// The one pod that a message brings along.
  static NodePodDirectory of(ObjectNode message) {
    String place = Json.textOr(message, "", "networkNamespace");
    NodePod pod =
        new NodePod(
            new ObjectKey(Json.textOr(message, "", "namespace"), Json.textOr(message, "", "name")),
            Json.textOr(message, "", "uid"),
            place.isEmpty() ? Optional.empty() : Optional.of(Path.of(place)));
    return uid -> uid.equals(pod.uid()) ? Optional.of(pod) : Optional.empty();
  }

  /// A pod that runs here.
  Optional<NodePod> find(String uid);

  /// A pod.
  ///
  /// @param networkNamespace where its namespace is mounted; empty for a pod in that of the node
  record NodePod(ObjectKey key, String uid, Optional<Path> networkNamespace) {
    ObjectNode toJson() {
      return Json.object()
          .put("namespace", key.namespace())
          .put("name", key.name())
          .put("uid", uid)
          .put("networkNamespace", networkNamespace.map(Path::toString).orElse(""));
    }
  }
}
