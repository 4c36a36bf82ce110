package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
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

/// Which requests belong to which priority level.
public final class FlowSchemaResource extends StoredResource {
  private static final int HIGHEST = 10_000;
  private static final int STANDARD = 1_000;
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("PriorityLevel", "Where its requests wait."),
          Column.number("MatchingPrecedence", "The lowest that fits decides."),
          Column.text("DistinguisherMethod", "What makes two requests two flows."),
          Cells.AGE,
          Column.text("MissingPL", "Whether its priority level does not exist."));

  public FlowSchemaResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "flowcontrol.apiserver.k8s.io", "flowschemas", "FlowSchema")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Defaults.number(Json.child(object, "spec"), "matchingPrecedence", STANDARD);
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    long precedence = spec.path("matchingPrecedence").asLong(0);
    if (precedence <= 0) {
      problems.invalid("spec.matchingPrecedence", precedence, "must be a positive value");
    }
    if (precedence > HIGHEST) {
      problems.invalid(
          "spec.matchingPrecedence", precedence, "must not be greater than " + HIGHEST);
    }
    if (precedence == 1 && !object.at("/metadata/name").asString("").equals("exempt")) {
      problems.invalid(
          "spec.matchingPrecedence",
          precedence,
          "only the schema named 'exempt' may have matchingPrecedence 1");
    }
    JsonNode method = spec.path("distinguisherMethod");
    List<String> methods = List.of("ByNamespace", "ByUser");
    if (method.isObject() && !methods.contains(method.path("type").asString(""))) {
      problems.add(
          FieldError.notSupported(
              "spec.distinguisherMethod.type",
              GoForm.internal(method, "io.k8s.api.flowcontrol.v1.FlowDistinguisherMethod"),
              methods));
    }
    String level = spec.path("priorityLevelConfiguration").path("name").asString("");
    if (level.isEmpty()) {
      problems.required("spec.priorityLevelConfiguration.name", "must reference a priority level");
    } else {
      problems.each(
          "spec.priorityLevelConfiguration.name", level, NameValidation.dns1123Subdomain(level));
    }
    new FlowSchemaValidation(problems).check(spec.path("rules"), "spec.rules");
    checkFixed(object, problems);
    return problems.list();
  }

  private static void checkFixed(ObjectNode object, Problems problems) {
    String name = object.at("/metadata/name").asString("");
    JsonNode spec = object.path("spec");
    if (FlowControlDefaults.isMandatory(name)
        && !spec.equals(FlowControlDefaults.schema(name).path("spec"))) {
      problems.invalid(
          "spec",
          GoForm.internal(spec, "io.k8s.api.flowcontrol.v1.FlowSchemaSpec"),
          "spec of '" + name + "' must equal the fixed value");
    }
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    String missing = "?";
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (condition.path("type").asString("").equals("Dangling")) {
        missing = condition.path("status").asString("?");
      }
    }
    return List.of(
        Cells.name(object),
        Cells.text(spec.path("priorityLevelConfiguration").path("name").asString("")),
        Cells.number(spec.path("matchingPrecedence")),
        Cells.text(spec.path("distinguisherMethod").path("type").asString("<none>")),
        Cells.age(object, now),
        Cells.text(missing));
  }
}
