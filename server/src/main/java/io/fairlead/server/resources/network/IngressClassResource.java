package io.fairlead.server.resources.network;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
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

/// Who serves an Ingress.
public final class IngressClassResource extends StoredResource {
  private static final int MAX_CONTROLLER = 250;
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Controller", "The program that serves Ingresses of this class."),
          Column.text("Parameters", "The object with its settings."),
          Cells.AGE);

  public IngressClassResource() {
    super(
        ResourceDescriptorBuilder.cluster("networking.k8s.io", "ingressclasses", "IngressClass")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode controller = object.at("/spec/controller");
    if (old != null) {
      problems.immutable("spec.controller", controller, old.at("/spec/controller"));
    }
    checkController(controller.asString(""), problems);
    if (object.at("/spec/parameters").isObject()) {
      checkParameters(object.at("/spec/parameters"), problems);
    }
    return problems.list();
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    if (Json.child(object, "spec").get("parameters") instanceof ObjectNode parameters) {
      Defaults.missingText(parameters, "scope", "Cluster");
    }
  }

  private static void checkController(String controller, Problems problems) {
    String path = "spec.controller";
    if (controller.isEmpty()) {
      problems.required(path);
      return;
    }
    if (controller.length() > MAX_CONTROLLER) {
      problems.add(FieldError.tooLong(path, MAX_CONTROLLER));
    }
    int slash = controller.indexOf('/');
    if (slash <= 0 || slash == controller.length() - 1) {
      problems.invalid(
          path, controller, "must be a domain-prefixed path (such as \"acme.io/foo\")");
    } else {
      String domain = controller.substring(0, slash);
      problems.each(path, domain, NameValidation.dns1123Subdomain(domain));
    }
  }

  private static void checkParameters(JsonNode parameters, Problems problems) {
    String path = "spec.parameters";
    IngressValidation.checkReference(parameters, path, problems);
    JsonNode scope = parameters.path("scope");
    problems.oneOf(path + ".scope", scope, List.of("Cluster", "Namespace"));
    JsonNode namespace = parameters.path("namespace");
    switch (scope.asString("")) {
      case "Namespace" -> {
        if (namespace.isMissingNode()) {
          problems.required(path + ".namespace", "`parameters.scope` is set to 'Namespace'");
        } else {
          problems.each(
              path + ".namespace",
              namespace.asString(""),
              NameValidation.dns1123Label(namespace.asString("")));
        }
      }
      case "Cluster" -> {
        if (!namespace.isMissingNode()) {
          problems.forbidden(path + ".namespace", "`parameters.scope` is set to 'Cluster'");
        }
      }
      default -> {
        // Reported above.
      }
    }
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
