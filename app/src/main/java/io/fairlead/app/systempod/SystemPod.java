package io.fairlead.app.systempod;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.node.ObjectNode;

/// A component of this process, shown as a pod of kube-system: what a user of other clusters looks
/// for there. Such a pod is a mirror, as those of static pods are: it decides nothing, and no agent
/// runs it.
///
/// @param component the verb that runs it alone: `proxy`
/// @param name of the pod, without that of the node, and of its container
/// @param ready whether the component says that it works
/// @param restart what deleting the pod does
record SystemPod(String component, String name, BooleanSupplier ready, RestartAction restart) {
  static final String NAMESPACE = "kube-system";

  /// The label of all such pods; its value names the component.
  static final String LABEL = "fairlead.dev/component";

  private static final String HASH = "kubernetes.io/config.hash";
  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final String SOURCE = "kubernetes.io/config.source";
  private static final int HASH_BYTES = 16;

  /// Follows what the cluster says when a pod was deleted.
  interface RestartAction {
    /// @return what the user of the new pod is told
    List<Note> restart(Client client);
  }

  /// Something to be told in an event.
  record Note(boolean warning, String reason, String message) {}

  /// The machine that shows its components.
  ///
  /// @param node the name of the Node
  /// @param uid of the Node
  /// @param addresses of the node, the first is the one others use
  /// @param version of the program
  record Place(String node, String uid, List<String> addresses, String version) {
    Place {
      addresses = List.copyOf(addresses);
    }
  }

  ObjectKey key(String node) {
    return new ObjectKey(NAMESPACE, name + "-" + node);
  }

  String image(Place place) {
    return "fairlead.dev/" + component + ":" + place.version();
  }

  /// The object, without a status.
  ObjectNode object(Place place) {
    ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata");
    metadata.put("name", key(place.node()).name()).put("namespace", NAMESPACE);
    metadata.putObject("labels").put("k8s-app", name).put(LABEL, component);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", place.node())
        .put("uid", place.uid());
    ObjectNode spec = pod.putObject("spec");
    spec.put("nodeName", place.node());
    spec.put("hostNetwork", true);
    spec.put("dnsPolicy", "Default");
    spec.put("priorityClassName", "system-node-critical");
    spec.putArray("tolerations").addObject().put("operator", "Exists");
    spec.putArray("containers")
        .addObject()
        .put("name", name)
        .put("image", image(place))
        .put("imagePullPolicy", "Never");
    String hash = hash(pod);
    metadata.putObject("annotations").put(HASH, hash).put(MIRROR, hash).put(SOURCE, "fairlead");
    return pod;
  }

  /// Tells pods apart that show something else: of another version, or of another Node.
  static String hash(ObjectNode pod) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(pod.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(digest, HASH_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What tells an object of the API apart from another of the same name.
  static String hashOf(ObjectNode present) {
    return Json.textOr(present, "", "metadata", "annotations", MIRROR);
  }
}
