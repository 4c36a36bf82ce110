package io.fairlead.server.resources.custom;

import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `…/status` of a custom resource: shows the whole object, writes nothing but the status.
final class CustomStatusView implements Subresource.View {
  private final CustomResource resource;

  CustomStatusView(CustomResource resource) {
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
    JsonNode status = changed.get("status");
    if (status == null) {
      parent.remove("status");
    } else {
      parent.set("status", status);
    }
  }

  @Override
  public List<FieldError> validate(ObjectNode parent, ObjectNode old, RequestContext context) {
    return resource.validateStatus(parent, old);
  }
}
