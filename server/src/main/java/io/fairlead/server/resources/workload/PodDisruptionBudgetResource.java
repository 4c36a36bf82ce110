package io.fairlead.server.resources.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StatusCounters;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// How many pods of a set must stay up.
public final class PodDisruptionBudgetResource extends StoredResource {
  private static final StatusCounters SHOWN =
      StatusCounters.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Min Available", "How many pods must stay up."),
          Column.text("Max Unavailable", "How many pods may be down."),
          Column.number("Allowed Disruptions", "How many pods may go right now."),
          Cells.AGE);

  public PodDisruptionBudgetResource() {
    super(
        ResourceDescriptorBuilder.namespaced(
                "policy", "poddisruptionbudgets", "PodDisruptionBudget")
            .shortNames("pdb")
            .build(),
        NameValidator.PATH_SEGMENT,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.NEEDS_RESOURCE_VERSION,
        Trait.METADATA_UNCHECKED);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Json.child(object, "spec");
    SHOWN.applyDefaults(object);
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    SHOWN.begin(object);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
      problems.invalid(
          "spec",
          GoForm.internal(spec, "io.k8s.api.policy.v1.PodDisruptionBudgetSpec"),
          "minAvailable and maxUnavailable cannot be both set");
    }
    for (String field : List.of("minAvailable", "maxUnavailable")) {
      checkAmount(spec.path(field), "spec." + field, problems);
    }
    problems.addAll(MetadataRules.labelSelector(spec.path("selector"), "spec.selector"));
    JsonNode policy = spec.path("unhealthyPodEvictionPolicy");
    if (policy.isString()) {
      problems.oneOf(
          "spec.unhealthyPodEvictionPolicy", policy, List.of("AlwaysAllow", "IfHealthyBudget"));
    }
    return problems.list();
  }

  @Override
  protected List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    return SHOWN.validate(object);
  }

  @Override
  public boolean takesAnyFinalizer() {
    return true;
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
        Cells.text(amount(spec.path("minAvailable"))),
        Cells.text(amount(spec.path("maxUnavailable"))),
        Cells.number(object.at("/status/disruptionsAllowed")),
        Cells.age(object, now));
  }

  private static void checkAmount(JsonNode amount, String path, Problems problems) {
    if (amount.isString()) {
      String text = amount.stringValue();
      List<String> texts = NameValidation.percent(text);
      problems.each(path, text, texts);
      if (texts.isEmpty() && Integer.parseInt(text.substring(0, text.length() - 1)) > 100) {
        problems.invalid(path, text, "must not be greater than 100%");
      }
    } else {
      problems.notNegative(path, amount);
    }
  }

  private static String amount(JsonNode amount) {
    return amount.isMissingNode() ? "N/A" : amount.asString("");
  }
}
