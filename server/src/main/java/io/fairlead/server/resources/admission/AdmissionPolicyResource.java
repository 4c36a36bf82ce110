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

/// Expressions in CEL that requests must meet, or that change what is written, where a binding says
/// so.
public final class AdmissionPolicyResource extends StoredResource {
  public static final String GROUP = "admissionregistration.k8s.io";
  public static final String VALIDATING = "validatingadmissionpolicies";
  public static final String MUTATING = "mutatingadmissionpolicies";

  private final boolean mutating;
  private final List<Column> columns;

  private AdmissionPolicyResource(
      String plural, String kind, boolean mutating, Column count, Trait... traits) {
    super(
        ResourceDescriptorBuilder.cluster(GROUP, plural, kind).categories("api-extensions").build(),
        NameValidator.SUBDOMAIN,
        traits);
    this.mutating = mutating;
    this.columns =
        List.of(
            Cells.NAME,
            count,
            Column.text("ParamKind", "Kind of the parameters of the policy"),
            Cells.AGE);
  }

  public static AdmissionPolicyResource validating() {
    return new AdmissionPolicyResource(
        VALIDATING,
        "ValidatingAdmissionPolicy",
        false,
        Column.number("Validations", "Number of validation rules defined in the policy"),
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.NEEDS_RESOURCE_VERSION);
  }

  public static AdmissionPolicyResource mutating() {
    return new AdmissionPolicyResource(
        MUTATING,
        "MutatingAdmissionPolicy",
        true,
        Column.number("Mutations", "Number of mutations defined in the policy"),
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

  /// What the types of its expressions give away is known as soon as it is written.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    if (mutating || (old != null && !isGenerationChange(object, old))) {
      return;
    }
    long before = old == null ? 0 : old.path("metadata").path("generation").asLong(0);
    ObjectNode status = Json.child(object, "status").put("observedGeneration", before + 1);
    status.set("typeChecking", PolicyTypeCheck.result(object.path("spec"), context.served()));
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    AdmissionPolicyValidation.policy(problems, object.path("spec"), mutating);
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode kind = spec.path("paramKind");
    return List.of(
        Cells.name(object),
        Cells.number(spec.path(mutating ? "mutations" : "validations").size()),
        Cells.text(
            kind.isObject()
                ? Json.textOr(kind, "", "apiVersion") + "/" + Json.textOr(kind, "", "kind")
                : "<unset>"),
        Cells.age(object, now));
  }
}
