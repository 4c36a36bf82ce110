package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.RequestContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a node may create: mirrors of pods that it runs from its own files, bound to itself and
/// without access to anything of the cluster. Otherwise a node that was broken into could have any
/// secret mounted, on any node.
final class MirrorRules {
  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final String GROUP = "system:nodes";
  private static final String PREFIX = "system:node:";

  private MirrorRules() {}

  static void check(ObjectNode pod, RequestContext context) {
    UserInfo user = context.user();
    if (!user.isIn(GROUP) || !user.name().startsWith(PREFIX)) {
      return;
    }
    String node = user.name().substring(PREFIX.length());
    JsonNode spec = pod.path("spec");
    if (!pod.path("metadata").path("annotations").has(MIRROR)) {
      throw refused(pod, node, "pod does not have \"" + MIRROR + "\" annotation");
    }
    if (!Json.textOr(spec, "", "nodeName").equals(node)) {
      throw refused(pod, node, "pod is not bound to node \"" + node + "\"");
    }
    for (JsonNode owner : pod.path("metadata").path("ownerReferences")) {
      if (!Json.textOr(owner, "", "kind").equals("Node")
          || !Json.textOr(owner, "", "name").equals(node)) {
        throw refused(pod, node, "pod has an owner reference that is not this node");
      }
    }
    if (!Json.textOr(spec, "", "serviceAccountName").isEmpty()) {
      throw refused(pod, node, "a mirror pod may not reference service accounts");
    }
    for (JsonNode volume : spec.path("volumes")) {
      for (String kind :
          new String[] {"secret", "configMap", "projected", "persistentVolumeClaim"}) {
        if (volume.has(kind)) {
          throw refused(pod, node, "a mirror pod may not reference volumes of kind " + kind);
        }
      }
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
