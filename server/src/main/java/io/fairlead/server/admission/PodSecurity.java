package io.fairlead.server.admission;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.RequestContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Holds pods to the Pod Security Standard that the labels of their namespace name:
/// `pod-security.kubernetes.io/enforce`, `warn` and `audit` are `privileged`, `baseline` or
/// `restricted`. Enforced are pods; what would make such pods is warned about.
final class PodSecurity implements AdmissionPlugin {
  private static final String PREFIX = "pod-security.kubernetes.io/";
  private static final List<String> LEVELS = List.of("privileged", "baseline", "restricted");
  private static final Set<String> GROUPS = Set.of("", "apps", "batch");
  private static final Map<String, String> TEMPLATES =
      Map.of(
          "podtemplates", "/template/spec",
          "replicationcontrollers", "/spec/template/spec",
          "replicasets", "/spec/template/spec",
          "deployments", "/spec/template/spec",
          "statefulsets", "/spec/template/spec",
          "daemonsets", "/spec/template/spec",
          "jobs", "/spec/template/spec",
          "cronjobs", "/spec/jobTemplate/spec/template/spec");

  @Override
  public String name() {
    return "PodSecurity";
  }

  @Override
  public boolean handles(AdmissionRequest request) {
    boolean template =
        TEMPLATES.containsKey(request.descriptor().plural())
            && GROUPS.contains(request.descriptor().group());
    if (!request.isPod() && !template) {
      return false;
    }
    ObjectNode old = request.old();
    return old == null || !podSpec(request, old).equals(podSpec(request, request.object()));
  }

  @Override
  public void validate(AdmissionRequest request) {
    RequestContext context = request.context();
    ObjectNode namespace = context.reader().get("", "namespaces", "", context.namespace());
    if (namespace == null) {
      return;
    }
    JsonNode labels = namespace.path("metadata").path("labels");
    JsonNode spec = podSpec(request, request.object());
    String enforced = level(labels, "enforce");
    if (request.isPod()) {
      String faults = faults(request, spec, enforced);
      if (!faults.isEmpty()) {
        throw request.forbidden(
            "violates PodSecurity \"" + standard(labels, "enforce", enforced) + "\": " + faults);
      }
    }
    String warned = level(labels, "warn");
    String faults = faults(request, spec, warned);
    if (!faults.isEmpty()) {
      context.warn(
          "would violate PodSecurity \"" + standard(labels, "warn", warned) + "\": " + faults);
    }
  }

  private static String faults(AdmissionRequest request, JsonNode spec, String level) {
    if (level.equals(LEVELS.getFirst())) {
      return "";
    }
    JsonNode annotations =
        request.isPod() ? request.object().path("metadata").path("annotations") : Json.object();
    return String.join(
        ", ", PodSecurityChecks.faults(spec, annotations, level.equals("restricted")));
  }

  private static JsonNode podSpec(AdmissionRequest request, ObjectNode object) {
    String path = TEMPLATES.get(request.descriptor().plural());
    return path == null ? object.path("spec") : object.at(path);
  }

  /// A word that is no level is the strictest.
  private static String level(JsonNode labels, String mode) {
    String level = labels.path(PREFIX + mode).asString(LEVELS.getFirst());
    return LEVELS.contains(level) ? level : "restricted";
  }

  private static String standard(JsonNode labels, String mode, String level) {
    return level + ":" + labels.path(PREFIX + mode + "-version").asString("latest");
  }
}
