package io.fairlead.server.resources.config;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Bounds for what one pod or container may ask for.
public final class LimitRangeResource extends StoredResource {
  public LimitRangeResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "limitranges", "LimitRange")
            .shortNames("limits")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE,
        Trait.METADATA_AS_UPDATE);
  }

  /// A container's default is its maximum, and its default request that default, or the minimum.
  @Override
  public void applyDefaults(ObjectNode object) {
    for (JsonNode limit : Json.child(object, "spec").path("limits")) {
      if (limit instanceof ObjectNode item && item.path("type").asString("").equals("Container")) {
        fill(item, "default", "max");
        fill(item, "defaultRequest", "default");
        fill(item, "defaultRequest", "min");
      }
    }
  }

  private static void fill(ObjectNode item, String bound, String from) {
    for (Map.Entry<String, JsonNode> entry : item.path(from).properties()) {
      if (!item.path(bound).has(entry.getKey())) {
        Json.child(item, bound).set(entry.getKey(), entry.getValue());
      }
    }
  }

  /// One without a name gets a random one.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    ObjectNode metadata = Json.child(object, "metadata");
    if (old == null && metadata.path("name").asString("").isEmpty()) {
      metadata.put(
          "name", new UUID(context.random().nextLong(), context.random().nextLong()).toString());
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    LimitRangeValidation.check(object.path("spec").path("limits"), problems);
    return problems.list();
  }
}
