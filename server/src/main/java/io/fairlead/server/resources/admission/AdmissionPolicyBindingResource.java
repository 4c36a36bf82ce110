package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
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

/// Where an admission policy holds, with which parameters, and what becomes of what breaks it.
public final class AdmissionPolicyBindingResource extends StoredResource {
  public static final String VALIDATING = "validatingadmissionpolicybindings";
  public static final String MUTATING = "mutatingadmissionpolicybindings";

  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("PolicyName", "The policy that is bound."),
          Column.text("ParamRef", "The parameters that it is bound with."),
          Cells.AGE);

  private final boolean mutating;

  private AdmissionPolicyBindingResource(String plural, String kind, boolean mutating) {
    super(
        ResourceDescriptorBuilder.cluster(AdmissionPolicyResource.GROUP, plural, kind)
            .categories("api-extensions")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS,
        Trait.NEEDS_RESOURCE_VERSION);
    this.mutating = mutating;
  }

  public static AdmissionPolicyBindingResource validating() {
    return new AdmissionPolicyBindingResource(
        VALIDATING, "ValidatingAdmissionPolicyBinding", false);
  }

  public static AdmissionPolicyBindingResource mutating() {
    return new AdmissionPolicyBindingResource(MUTATING, "MutatingAdmissionPolicyBinding", true);
  }

  @Override
  public boolean governsWrites() {
    return true;
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    if (Json.at(object, "spec", "matchResources") instanceof ObjectNode match) {
      AdmissionPolicyResource.defaults(match);
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    AdmissionPolicyValidation.binding(problems, object.path("spec"), mutating);
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode reference = spec.path("paramRef");
    String namespace = Json.textOr(reference, "", "namespace");
    String name = Json.textOr(reference, "*", "name");
    return List.of(
        Cells.name(object),
        Cells.text(Json.textOr(spec, "", "policyName")),
        Cells.text(
            !reference.isObject()
                ? "<unset>"
                : namespace.isEmpty() ? name : namespace + "/" + name),
        Cells.age(object, now));
  }
}
