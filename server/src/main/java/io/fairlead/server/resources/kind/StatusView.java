package io.fairlead.server.resources.kind;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `…/status`: shows the whole object, writes its status and the labels, annotations and
/// finalizers.
public final class StatusView implements Subresource.View {
  private static final List<String> METADATA = List.of("labels", "annotations", "finalizers");

  private final KindResource resource;

  public StatusView(KindResource resource) {
    this.resource = resource;
  }

  @Override
  public String name() {
    return "status";
  }

  @Override
  public String group() {
    return resource.descriptor().group();
  }

  @Override
  public String version() {
    return resource.descriptor().version();
  }

  @Override
  public String kind() {
    return resource.descriptor().kind();
  }

  @Override
  public String schemaName() {
    return resource.descriptor().schemaName();
  }

  @Override
  public List<String> verbs() {
    return List.of("get", "patch", "update");
  }

  @Override
  public ObjectNode view(ObjectNode parent) {
    return parent;
  }

  @Override
  public void write(ObjectNode parent, ObjectNode changed, RequestContext context) {
    take(parent, changed, "status");
    ObjectNode metadata = Json.child(parent, "metadata");
    for (String key : METADATA) {
      take(metadata, Json.child(changed, "metadata"), key);
    }
    resource.applyDefaults(parent);
  }

  @Override
  public List<FieldError> validate(ObjectNode parent, ObjectNode old, RequestContext context) {
    return resource.validateStatus(parent, old, context);
  }

  private static void take(ObjectNode into, ObjectNode from, String key) {
    JsonNode value = from.get(key);
    if (value == null || value.isNull()) {
      into.remove(key);
    } else {
      into.set(key, value);
    }
  }
}
