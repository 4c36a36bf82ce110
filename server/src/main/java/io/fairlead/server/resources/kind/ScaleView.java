package io.fairlead.server.resources.kind;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.table.SelectorText;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `…/scale`: how many replicas there shall be and are, in the same shape for every kind that has
/// replicas.
public final class ScaleView implements Subresource.View {
  private static final List<String> METADATA =
      List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp");

  private final Function<JsonNode, String> selectorText;

  /// Of kinds that have a selector.
  public ScaleView() {
    this(SelectorText::ofSelector);
  }

  private ScaleView(Function<JsonNode, String> selectorText) {
    this.selectorText = selectorText;
  }

  /// Of kinds whose selector is a set of labels.
  public static ScaleView ofLabels() {
    return new ScaleView(SelectorText::ofLabels);
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
    return ResourceDescriptorBuilder.schemaName(group(), version(), kind());
  }

  @Override
  public List<String> verbs() {
    return List.of("get", "patch", "update");
  }

  @Override
  public ObjectNode view(ObjectNode parent) {
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
    int replicas = parent.path("spec").path("replicas").asInt(0);
    if (replicas != 0) {
      spec.put("replicas", replicas);
    }
    ObjectNode status = scale.putObject("status");
    status.put("replicas", parent.path("status").path("replicas").asInt(0));
    String selector = selectorText.apply(parent.path("spec").path("selector"));
    if (!selector.isEmpty()) {
      status.put("selector", selector);
    }
    return scale;
  }

  @Override
  public void write(ObjectNode parent, ObjectNode changed, RequestContext context) {
    int replicas = changed.path("spec").path("replicas").asInt(0);
    if (replicas < 0) {
      throw ApiException.invalid(
          group(),
          kind(),
          parent.path("metadata").path("name").asString(""),
          List.of(
              FieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0")));
    }
    Json.child(parent, "spec").put("replicas", replicas);
  }
}
