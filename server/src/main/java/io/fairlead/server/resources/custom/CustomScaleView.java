package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.AbstractScaleView;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `…/scale` of a custom resource: how many replicas there shall be and are, found where the
/// definition says.
final class CustomScaleView extends AbstractScaleView {
  private final CustomResource resource;
  private final CustomVersion.ScalePaths paths;

  CustomScaleView(CustomResource resource, CustomVersion.ScalePaths paths) {
    this.resource = resource;
    this.paths = paths;
  }

  @Override
  public ObjectNode view(ObjectNode parent) {
    JsonNode replicas = at(parent, paths.specReplicas());
    if (!replicas.isNumber()) {
      throw ApiException.internal(
          "the spec replicas field \"" + paths.specReplicas() + "\" does not exist");
    }
    return scale(
        parent,
        replicas.asInt(0),
        at(parent, paths.statusReplicas()).asInt(0),
        paths.selector().isEmpty() ? "" : at(parent, paths.selector()).asString(""));
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
