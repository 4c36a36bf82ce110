package io.fairlead.server.resources.workload;

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

/// A past state of a StatefulSet or DaemonSet.
public final class ControllerRevisionResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Controller", "What it is a state of."),
          Column.text("Revision", "Its number."),
          Cells.AGE);

  public ControllerRevisionResource() {
    super(
        ResourceDescriptorBuilder.namespaced("apps", "controllerrevisions", "ControllerRevision")
            .build(),
        NameValidator.SUBDOMAIN);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    problems.notNegative("revision", object.path("revision"));
    if (old == null && !object.has("data")) {
      problems.required("data", "data is mandatory");
    } else if (old == null && !object.path("data").isObject()) {
      problems.required("data", "data must be a valid JSON object");
    }
    if (old != null) {
      problems.immutable("data", object.path("data"), old.path("data"));
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    String owner = "<none>";
    for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
      if (reference.path("controller").asBoolean(false)) {
        String apiVersion = reference.path("apiVersion").asString("");
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : "." + apiVersion.substring(0, slash);
        owner =
            reference.path("kind").asString("").toLowerCase(Locale.ROOT)
                + group
                + "/"
                + reference.path("name").asString("");
      }
    }
    return List.of(
        Cells.name(object),
        Cells.text(owner),
        Cells.number(object.path("revision")),
        Cells.age(object, now));
  }
}
