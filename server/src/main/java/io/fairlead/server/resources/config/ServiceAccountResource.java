package io.fairlead.server.resources.config;

import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Who a pod is to the API.
public final class ServiceAccountResource extends StoredResource {
  private static final List<Column> COLUMNS = List.of(Cells.NAME, Cells.AGE);

  public ServiceAccountResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "serviceaccounts", "ServiceAccount")
            .shortNames("sa")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.DELETE_SHOWS_OBJECT);
  }

  /// Of its Secrets only the names count.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    for (JsonNode secret : object.path("secrets")) {
      if (secret instanceof ObjectNode reference) {
        reference.retain("name");
      }
    }
  }

  @Override
  public List<Subresource> subresources() {
    return List.of(new TokenAction());
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(Cells.name(object), Cells.age(object, now));
  }
}
