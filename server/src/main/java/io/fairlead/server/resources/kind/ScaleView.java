package io.fairlead.server.resources.kind;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.table.SelectorText;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `…/scale` of a kind of the server's own.
public final class ScaleView extends AbstractScaleView {
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
  public ObjectNode view(ObjectNode parent) {
    return scale(
        parent,
        parent.path("spec").path("replicas").asInt(0),
        parent.path("status").path("replicas").asInt(0),
        selectorText.apply(parent.path("spec").path("selector")));
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
