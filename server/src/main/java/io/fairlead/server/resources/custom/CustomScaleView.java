package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `…/scale` of a custom resource: how many replicas there shall be and are, found where the
/// definition says.
final class CustomScaleView implements Subresource.View {
  private static final List<String> METADATA =
      List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp");

  private final CustomResource resource;
  private final CustomVersion.ScalePaths paths;

  CustomScaleView(CustomResource resource, CustomVersion.ScalePaths paths) {
    this.resource = resource;
    this.paths = paths;
  }

  @Override
  public String name() {
    return "scale";
  }

  @Override
  public String group() {
    return "autoscaling";
  }

  @Override
  public String version() {
    return "v1";
  }

  @Override
  public String kind() {
    return "Scale";
  }

  @Override
  public String schemaName() {
    return "io.k8s.api.autoscaling.v1.Scale";
  }

  @Override
  public List<String> verbs() {
    return List.of("get", "patch", "update");
  }

  @Override
  public ObjectNode view(ObjectNode parent) {
    JsonNode replicas = at(parent, paths.specReplicas());
    if (!replicas.isNumber()) {
      throw ApiException.internal(
          "the spec replicas field \"" + paths.specReplicas() + "\" does not exist");
    }
    ObjectNode scale = Json.object();
    scale.put("kind", kind()).put("apiVersion", "autoscaling/v1");
    ObjectNode metadata = scale.putObject("metadata");
    for (String key : METADATA) {
      JsonNode value = parent.path("metadata").get(key);
      if (value != null) {
        metadata.set(key, value);
      }
    }
    ObjectNode spec = scale.putObject("spec");
    if (replicas.asInt(0) != 0) {
      spec.put("replicas", replicas.asInt(0));
    }
    ObjectNode status = scale.putObject("status");
    status.put("replicas", at(parent, paths.statusReplicas()).asInt(0));
    String selector = paths.selector().isEmpty() ? "" : at(parent, paths.selector()).asString("");
    if (!selector.isEmpty()) {
      status.put("selector", selector);
    }
    return scale;
  }

  @Override
  public void write(ObjectNode parent, ObjectNode changed, RequestContext context) {
    int replicas = changed.path("spec").path("replicas").asInt(0);
    String[] steps = steps(paths.specReplicas());
    ObjectNode holder = parent;
    for (int at = 0; at < steps.length - 1; at++) {
      holder = Json.child(holder, steps[at]);
    }
    holder.put(steps[steps.length - 1], replicas);
  }

  @Override
  public List<FieldError> validate(ObjectNode parent, ObjectNode old, RequestContext context) {
    return resource.validate(parent, old, context);
  }

  /// What is wrong with the numbers that this part shows.
  static List<FieldError> validate(ObjectNode object, CustomVersion.ScalePaths paths) {
    List<FieldError> errors = new ArrayList<>();
    for (String path : List.of(paths.specReplicas(), paths.statusReplicas())) {
      JsonNode replicas = at(object, path);
      if (replicas.isMissingNode() || replicas.isNull()) {
        continue;
      }
      if (!replicas.isIntegralNumber()) {
        String type = replicas.isNumber() ? "float64" : JsonValues.type(replicas);
        errors.add(
            FieldError.invalid(
                path,
                0,
                path
                    + " accessor error: "
                    + JsonValues.plain(replicas)
                    + " is of the type "
                    + type
                    + ", expected int64"));
        continue;
      }
      if (replicas.asLong(0) < 0) {
        errors.add(FieldError.invalid(path, replicas, "should be a non-negative integer"));
      } else if (!replicas.canConvertToInt()) {
        errors.add(
            FieldError.invalid(
                path, replicas, "should be less than or equal to " + Integer.MAX_VALUE));
      }
    }
    return errors;
  }

  private static JsonNode at(JsonNode object, String path) {
    return Json.at(object, steps(path));
  }

  private static String[] steps(String path) {
    return path.replaceFirst("^\\.", "").split("\\.", -1);
  }
}
