package io.fairlead.server.resources.network;

import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Who serves an Ingress.
public final class IngressClassResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Controller", "The program that serves Ingresses of this class."),
          Column.text("Parameters", "The object with its settings."),
          Cells.AGE);

  public IngressClassResource() {
    super(
        Describe.cluster("networking.k8s.io", "ingressclasses", "IngressClass").build(),
        NameRule.SUBDOMAIN,
        Trait.GENERATIONS);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode controller = object.at("/spec/controller");
    if (old != null) {
      problems.immutable("spec.controller", controller, old.at("/spec/controller"));
    } else if (controller.asString("").isEmpty()) {
      problems.required("spec.controller");
    } else if (!controller.asString("").contains("/")) {
      problems.invalid(
          "spec.controller",
          controller,
          "must be a domain-prefixed path (such as \"acme.io/foo\")");
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode parameters = object.at("/spec/parameters");
    String group = parameters.path("apiGroup").asString("");
    String shown =
        parameters.isObject()
            ? parameters.path("kind").asString("")
                + (group.isEmpty() ? "" : "." + group)
                + "/"
                + parameters.path("name").asString("")
            : "<none>";
    return List.of(
        Cells.name(object),
        Cells.text(object.at("/spec/controller").asString("")),
        Cells.text(shown),
        Cells.age(object, now));
  }
}
