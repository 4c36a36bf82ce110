package io.fairlead.server.resources.storage;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.DriverNames;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The storage drivers of a node.
public final class CsiNodeResource extends StoredResource {
  private static final int MOST_NODE_BYTES = 256;
  private static final List<Column> COLUMNS =
      List.of(Cells.NAME, Column.number("Drivers", "How many drivers the node has."), Cells.AGE);

  public CsiNodeResource() {
    super(
        ResourceDescriptorBuilder.cluster("storage.k8s.io", "csinodes", "CSINode").build(),
        NameValidator.SUBDOMAIN,
        Trait.NEEDS_RESOURCE_VERSION,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Defaults.dropEmpty(Json.child(object, "spec"), "drivers");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    Set<String> names = new HashSet<>();
    int index = 0;
    for (JsonNode driver : object.path("spec").path("drivers")) {
      String path = "spec.drivers[" + index++ + "]";
      String name = driver.path("name").asString("");
      if (name.isEmpty()) {
        problems.required(path + ".name");
      } else {
        DriverNames.check(name, path + ".name", problems);
      }
      String node = driver.path("nodeID").asString("");
      if (node.isEmpty()) {
        problems.required(path + ".nodeID");
      } else if (node.getBytes(StandardCharsets.UTF_8).length > MOST_NODE_BYTES) {
        problems.invalid(
            path + ".nodeID", node, "must be " + MOST_NODE_BYTES + " characters or less");
      }
      JsonNode count = driver.path("allocatable").path("count");
      problems.notNegative(path + ".allocatable.count", count);
      Set<String> keys = new HashSet<>();
      for (JsonNode key : driver.path("topologyKeys")) {
        String text = key.asString("");
        if (text.isEmpty()) {
          problems.required(path);
        } else {
          problems.unique(path, text, keys);
        }
        problems.each(path, text, NameValidation.qualifiedName(text));
      }
      problems.unique(path + ".name", name, names);
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
        Cells.number(object.path("spec").path("drivers").size()),
        Cells.age(object, now));
  }
}
