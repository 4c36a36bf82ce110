package io.fairlead.server.resources.config;

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

/// Configuration as keys and texts.
public final class ConfigMapResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(Cells.NAME, Column.text("Data", "How many keys it has."), Cells.AGE);

  public ConfigMapResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "configmaps", "ConfigMap")
            .shortNames("cm")
            .build(),
        NameValidator.SUBDOMAIN);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    if (old != null) {
      ConfigDataValidation.checkFrozen(object, old, List.of("data", "binaryData"), problems);
    }
    JsonNode data = object.path("data");
    JsonNode binary = object.path("binaryData");
    long bytes = ConfigDataValidation.check(data, "data", false, problems);
    for (String key : data.propertyNames()) {
      if (binary.has(key)) {
        problems.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
      }
    }
    bytes += ConfigDataValidation.check(binary, "binaryData", true, problems);
    if (bytes > ConfigDataValidation.MAX_BYTES) {
      problems.add(FieldError.tooLong("[]", ConfigDataValidation.MAX_BYTES));
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
        Cells.number(object.path("data").size() + object.path("binaryData").size()),
        Cells.age(object, now));
  }
}
