package io.fairlead.server.resources.storage;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// How much storage of a class a driver can still give in one part of the cluster.
public final class CsiStorageCapacityResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("StorageClassName", "The class."),
          Column.text("Capacity", "How much is left."),
          Cells.AGE);

  public CsiStorageCapacityResource() {
    super(
        ResourceDescriptorBuilder.namespaced(
                "storage.k8s.io", "csistoragecapacities", "CSIStorageCapacity")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.NEEDS_RESOURCE_VERSION,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    String name = object.path("storageClassName").asString("");
    problems.each("storageClassName", name, NameValidation.dns1123Subdomain(name));
    problems.addAll(MetadataRules.labelSelector(object.path("nodeTopology"), "nodeTopology"));
    Quantity capacity = Quantity.parseOrNull(object.path("capacity").asString("0"));
    if (capacity != null && capacity.signum() < 0) {
      problems.invalid("capacity", object.path("capacity"), Problems.NOT_NEGATIVE);
    }
    if (old != null) {
      problems.immutable("nodeTopology", object.path("nodeTopology"), old.path("nodeTopology"));
      problems.immutable(
          "storageClassName", object.path("storageClassName"), old.path("storageClassName"));
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object),
        Cells.text(object.path("storageClassName").asString("")),
        Cells.text(object.path("capacity").asString("<unset>")),
        Cells.age(object, now));
  }
}
