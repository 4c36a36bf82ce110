package io.fairlead.server.resources.devices;

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
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The devices that a driver offers on a node.
public final class ResourceSliceResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Node", "Where the devices are."),
          Column.text("Driver", "Who offers them."),
          Column.text("Pool", "The pool they belong to."),
          Cells.AGE);

  public ResourceSliceResource() {
    super(
        ResourceDescriptorBuilder.cluster("resource.k8s.io", "resourceslices", "ResourceSlice")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    String driver = spec.path("driver").asString("");
    if (driver.isEmpty()) {
      problems.required("spec.driver");
    } else {
      problems.each("spec.driver", driver, NameValidation.dns1123Subdomain(driver));
    }
    if (spec.path("pool").path("name").asString("").isEmpty()) {
      problems.required("spec.pool.name");
    }
    int places = 0;
    places += spec.path("nodeName").asString("").isEmpty() ? 0 : 1;
    places += spec.path("nodeSelector").isObject() ? 1 : 0;
    places += spec.path("allNodes").asBoolean(false) ? 1 : 0;
    places += spec.path("perDeviceNodeSelection").asBoolean(false) ? 1 : 0;
    if (places == 0) {
      problems.required(
          "spec",
          "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is"
              + " required");
    } else if (places > 1) {
      problems.invalid(
          "spec",
          spec,
          "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is"
              + " required, but multiple fields are set");
    }
    if (old != null) {
      for (String fixed : List.of("driver", "nodeName")) {
        problems.immutable("spec." + fixed, spec.path(fixed), old.path("spec").path(fixed));
      }
      problems.immutable(
          "spec.pool.name", spec.at("/pool/name"), old.path("spec").at("/pool/name"));
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    return List.of(
        Cells.name(object),
        Cells.orNone(spec.path("nodeName").asString("")),
        Cells.text(spec.path("driver").asString("")),
        Cells.text(spec.path("pool").path("name").asString("")),
        Cells.age(object, now));
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    JsonNode spec = object.path("spec");
    return Map.of(
        "spec.nodeName", spec.path("nodeName").asString(""),
        "spec.driver", spec.path("driver").asString(""));
  }
}
