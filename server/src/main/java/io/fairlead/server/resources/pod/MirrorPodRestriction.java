package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.NodeUser;
import io.fairlead.server.resource.RequestContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a node may create: mirrors of pods that it runs from its own files, bound to itself and
/// without a reference to any object of the cluster. Otherwise a node that was broken into could
/// name any Secret in a pod of its own, and the node authorizer would let it read that Secret.
final class MirrorPodRestriction {
  private static final String MIRROR = "kubernetes.io/config.mirror";

  private static final List<String> CONTAINER_LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");
  private static final List<String> REFERENCE_LISTS = List.of("imagePullSecrets", "resourceClaims");

  /// The fields by which containers and volumes name Secrets, ConfigMaps, claims and accounts.
  private static final Set<String> REFERENCES =
      Set.of(
          "claims",
          "clusterTrustBundle",
          "configMap",
          "configMapKeyRef",
          "configMapRef",
          "controllerExpandSecretRef",
          "controllerPublishSecretRef",
          "ephemeral",
          "nodeExpandSecretRef",
          "nodePublishSecretRef",
          "nodeStageSecretRef",
          "persistentVolumeClaim",
          "podCertificate",
          "projected",
          "secret",
          "secretKeyRef",
          "secretName",
          "secretRef",
          "serviceAccountToken");

  /// Volumes that name no object of the cluster.
  private static final Set<String> PLAIN_VOLUMES =
      Set.of("downwardAPI", "emptyDir", "fc", "hostPath", "image", "nfs");

  private MirrorPodRestriction() {}

  static void check(ObjectNode pod, RequestContext context) {
    String node = NodeUser.of(context.user());
    if (node == null) {
      return;
    }
    JsonNode spec = pod.path("spec");
    if (!pod.path("metadata").path("annotations").has(MIRROR)) {
      throw refused(pod, node, "pod does not have \"" + MIRROR + "\" annotation");
    }
    if (!Json.textOr(spec, "", "nodeName").equals(node)) {
      throw refused(pod, node, "pod is not bound to node \"" + node + "\"");
    }
    checkOwner(pod, node, context);
    for (String field : List.of("serviceAccountName", "serviceAccount")) {
      if (!Json.textOr(spec, "", field).isEmpty()) {
        throw refused(pod, node, "a mirror pod may not reference service accounts");
      }
    }
    for (String field : REFERENCE_LISTS) {
      if (!spec.path(field).isEmpty()) {
        throw refused(pod, node, "a mirror pod may not have " + field);
      }
    }
    for (String list : CONTAINER_LISTS) {
      for (JsonNode container : spec.path(list)) {
        refuseReferences(container, pod, node);
      }
    }
    refuseReferences(spec.path("volumes"), pod, node);
    for (JsonNode volume : spec.path("volumes")) {
      for (String source : volume.propertyNames()) {
        if (!source.equals("name") && !PLAIN_VOLUMES.contains(source)) {
          throw refused(pod, node, "a mirror pod may not have volumes of kind " + source);
        }
      }
    }
  }

  /// Its owner is this very Node, if it has one.
  private static void checkOwner(ObjectNode pod, String node, RequestContext context) {
    JsonNode owners = pod.path("metadata").path("ownerReferences");
    for (JsonNode owner : owners) {
      if (owners.size() > 1
          || !Json.textOr(owner, "v1", "apiVersion").equals("v1")
          || !Json.textOr(owner, "", "kind").equals("Node")
          || !Json.textOr(owner, "", "name").equals(node)) {
        throw refused(pod, node, "pod has an owner reference that is not this node");
      }
      if (owner.path("blockOwnerDeletion").asBoolean(false)) {
        throw refused(pod, node, "pod has an owner reference that blocks its owner");
      }
      ObjectNode found = context.reader().get("", "nodes", "", node);
      if (found != null
          && !Json.textOr(found, "", "metadata", "uid").equals(Json.textOr(owner, "", "uid"))) {
        throw refused(pod, node, "pod has an owner reference with the uid of another node");
      }
    }
  }

  /// Refuses every field that names an object of the cluster, however deep it stands.
  private static void refuseReferences(JsonNode value, ObjectNode pod, String node) {
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      String field = member.getKey();
      if (REFERENCES.contains(field)) {
        throw refused(
            pod,
            node,
            value.has("name")
                ? "a mirror pod may not reference volumes of kind " + field
                : "a mirror pod may not have the field " + field);
      }
      refuseReferences(member.getValue(), pod, node);
    }
    for (JsonNode item : value.isArray() ? value : Json.array()) {
      refuseReferences(item, pod, node);
    }
  }

  private static ApiException refused(ObjectNode pod, String node, String why) {
    return ApiException.forbidden(
        "",
        "pods",
        Json.textOr(pod, "", "metadata", "name"),
        "node \"" + node + "\" can only create mirror pods: " + why);
  }
}
