package io.fairlead.server.resources.config;

import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
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
