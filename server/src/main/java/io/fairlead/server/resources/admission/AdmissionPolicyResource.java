package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
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

/// Rules in CEL that requests must meet where a binding says so.
public final class AdmissionPolicyResource extends StoredResource {
  public static final String GROUP = "admissionregistration.k8s.io";
  public static final String PLURAL = "validatingadmissionpolicies";

  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.number("Validations", "Number of validation rules defined in the policy"),
          Column.text("ParamKind", "Kind of the parameters of the policy"),
          Cells.AGE);

  public AdmissionPolicyResource() {
    super(
        ResourceDescriptorBuilder.cluster(GROUP, PLURAL, "ValidatingAdmissionPolicy")
            .categories("api-extensions")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.NEEDS_RESOURCE_VERSION);
  }

  @Override
  public boolean governsWrites() {
    return true;
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    if (object.path("spec") instanceof ObjectNode spec) {
      Defaults.missingText(spec, "failurePolicy", "Fail");
      if (spec.path("matchConstraints") instanceof ObjectNode match) {
        defaults(match);
      }
    }
  }

  /// Those of a MatchResources.
  static void defaults(ObjectNode match) {
    Defaults.missingText(match, "matchPolicy", "Equivalent");
    ObjectNode _ = Defaults.object(match, "namespaceSelector");
    ObjectNode _ = Defaults.object(match, "objectSelector");
    for (String list : List.of("resourceRules", "excludeResourceRules")) {
      for (JsonNode rule : match.path(list)) {
        if (rule instanceof ObjectNode one) {
          Defaults.missingText(one, "scope", "*");
        }
      }
    }
  }

  /// Expressions have no types here, so there is nothing to say about them.
  @Override
  protected void initialStatus(ObjectNode object) {
    ObjectNode status = object.putObject("status").put("observedGeneration", 1);
    status.putObject("typeChecking");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    AdmissionPolicyValidation.policy(problems, object.path("spec"));
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode kind = spec.path("paramKind");
    return List.of(
        Cells.name(object),
        Cells.number(spec.path("validations").size()),
        Cells.text(
            kind.isObject()
                ? Json.textOr(kind, "", "apiVersion") + "/" + Json.textOr(kind, "", "kind")
                : "<unset>"),
        Cells.age(object, now));
  }
}
