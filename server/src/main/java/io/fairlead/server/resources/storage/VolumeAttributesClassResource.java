package io.fairlead.server.resources.storage;

import io.fairlead.api.names.NameValidation;
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
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Settings of volumes that may change while they are in use.
public final class VolumeAttributesClassResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(Cells.NAME, Column.text("DriverName", "The driver it is for."), Cells.AGE);

  public VolumeAttributesClassResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "storage.k8s.io", "volumeattributesclasses", "VolumeAttributesClass")
            .shortNames("vac")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    String driver = object.path("driverName").asString("");
    if (driver.isEmpty()) {
      problems.required("driverName");
    } else {
      String name = driver.toLowerCase(Locale.ROOT);
      problems.each("driverName", name, NameValidation.qualifiedName(name));
    }
    if (object.path("parameters").isEmpty()) {
      problems.required("parameters", "must contain at least one key/value pair");
    }
    for (String key : object.path("parameters").propertyNames()) {
      if (key.isEmpty()) {
        problems.invalid("parameters", key, "field can not be empty.");
      }
    }
    if (old != null) {
      for (String fixed : List.of("driverName", "parameters")) {
        if (!object.path(fixed).equals(old.path(fixed))) {
          problems.forbidden(fixed, "updates to " + fixed + " are forbidden.");
        }
      }
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
        Cells.text(object.path("driverName").asString("")),
        Cells.age(object, now));
  }
}
