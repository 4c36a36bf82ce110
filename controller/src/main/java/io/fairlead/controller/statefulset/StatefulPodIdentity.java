package io.fairlead.controller.statefulset;

import io.fairlead.api.json.Json;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.PodControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What makes a pod of a StatefulSet this one and no other: its name, its host name under the
/// governing Service, its labels and its storage.
final class StatefulPodIdentity {
  private StatefulPodIdentity() {}

  static ObjectNode pod(StatefulSet set, int ordinal, ControllerRevision revision) {
    String name = set.name() + "-" + ordinal;
    ObjectNode pod =
        PodControl.fromTemplate(revision.template(), StatefulSet.TYPE, set.metadata(), name);
    Json.child(Json.child(pod, "metadata"), "labels")
        .put("statefulset.kubernetes.io/pod-name", name)
        .put("apps.kubernetes.io/pod-index", Integer.toString(ordinal))
        .put(ControllerRevision.POD_LABEL, revision.name());
    ObjectNode spec = Json.child(pod, "spec");
    spec.put("hostname", name);
    String service = Json.textOr(set.spec(), "", "serviceName");
    if (!service.isEmpty()) {
      spec.put("subdomain", service);
    }
    mountClaims(set, ordinal, spec);
    return pod;
  }

  private static void mountClaims(StatefulSet set, int ordinal, ObjectNode spec) {
    Set<String> claimed = new TreeSet<>();
    ArrayNode volumes = Json.array();
    for (JsonNode template : set.spec().path("volumeClaimTemplates")) {
      String claim = Json.textOr(template, "", "metadata", "name");
      claimed.add(claim);
      volumes
          .addObject()
          .put("name", claim)
          .putObject("persistentVolumeClaim")
          .put("claimName", claimName(set, claim, ordinal));
    }
    if (claimed.isEmpty()) {
      return;
    }
    for (JsonNode volume : spec.path("volumes")) {
      if (!claimed.contains(Json.textOr(volume, "", "name"))) {
        volumes.add(volume);
      }
    }
    spec.set("volumes", volumes);
  }

  /// The claims of one pod. They outlive it.
  static List<ObjectNode> claims(StatefulSet set, int ordinal) {
    List<ObjectNode> claims = new ArrayList<>();
    for (JsonNode template : set.spec().path("volumeClaimTemplates")) {
      ObjectNode claim = (ObjectNode) template.deepCopy();
      claim.remove("status");
      claim.put("kind", ResourceType.PERSISTENT_VOLUME_CLAIMS.kind()).put("apiVersion", "v1");
      ObjectNode metadata = Json.child(claim, "metadata");
      metadata
          .put("name", claimName(set, Json.textOr(metadata, "", "name"), ordinal))
          .put("namespace", set.metadata().namespace());
      ObjectNode labels = Json.child(metadata, "labels");
      set.spec()
          .path("selector")
          .path("matchLabels")
          .properties()
          .forEach(label -> labels.set(label.getKey(), label.getValue()));
      claims.add(claim);
    }
    return claims;
  }

  private static String claimName(StatefulSet set, String claim, int ordinal) {
    return claim + "-" + set.name() + "-" + ordinal;
  }
}
