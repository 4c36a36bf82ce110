package io.fairlead.server.resources.config;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.ResourceNameRules;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What all objects of a namespace may use together.
public final class ResourceQuotaResource extends StoredResource {
  private static final Set<String> POD_SCOPES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity");
  private static final Set<String> COMPUTE =
      Set.of(
          "pods",
          "cpu",
          "memory",
          "requests.cpu",
          "requests.memory",
          "limits.cpu",
          "limits.memory",
          "ephemeral-storage",
          "requests.ephemeral-storage",
          "limits.ephemeral-storage");
  private static final Set<String> FLAG_SCOPES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "CrossNamespacePodAffinity");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Request", "What is used, of what there is."),
          Column.text("Limit", "The same for limits of containers."),
          Cells.AGE);
  private static final String SELECTOR = "spec.scopeSelector.matchExpressions";

  public ResourceQuotaResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "resourcequotas", "ResourceQuota")
            .shortNames("quota")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT,
        Trait.METADATA_AS_UPDATE);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Json.child(object, "spec");
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
    checkAmounts(spec.path("hard"), "spec.hard", problems);
    checkScopes(spec, problems);
    checkSelector(spec.path("scopeSelector").path("matchExpressions"), problems);
    if (old != null && !scopes(spec).equals(scopes(old.path("spec")))) {
      problems.invalid("spec.scopes", spec.path("scopes"), Problems.IMMUTABLE);
    }
    return problems.list();
  }

  @Override
  protected List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    checkAmounts(object.at("/status/hard"), "status.hard", problems);
    checkAmounts(object.at("/status/used"), "status.used", problems);
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    List<String> requests = new ArrayList<>();
    List<String> limits = new ArrayList<>();
    JsonNode status = object.path("status");
    Map<String, JsonNode> hard = new TreeMap<>();
    status.path("hard").properties().forEach(one -> hard.put(one.getKey(), one.getValue()));
    hard.forEach(
        (name, amount) ->
            (name.startsWith("limits.") ? limits : requests)
                .add(
                    name
                        + ": "
                        + status.path("used").path(name).asString("0")
                        + "/"
                        + amount.asString("")));
    return List.of(
        Cells.name(object),
        Cells.text(String.join(", ", requests)),
        Cells.text(String.join(", ", limits)),
        Cells.age(object, now));
  }

  private static void checkAmounts(JsonNode amounts, String path, Problems problems) {
    for (Map.Entry<String, JsonNode> entry : amounts.properties()) {
      String at = path + "[" + entry.getKey() + "]";
      ResourceNameRules.checkQuota(entry.getKey(), at, problems);
      ResourceNameRules.checkAmount(entry.getKey(), entry.getValue(), at, problems);
    }
  }

  private static void checkScopes(JsonNode spec, Problems problems) {
    JsonNode scopes = spec.path("scopes");
    Set<String> all = scopes(spec);
    for (String scope : all) {
      if (!isScope(scope)) {
        problems.invalid("spec.scopes", scopes, "unsupported scope");
      }
      for (String name : spec.path("hard").propertyNames()) {
        if (ResourceNameRules.isStandardQuota(name) && !applies(scope, name)) {
          problems.invalid("spec.scopes", scopes, "unsupported scope applied to resource");
        }
      }
    }
    if (all.containsAll(Set.of("BestEffort", "NotBestEffort"))
        || all.containsAll(Set.of("Terminating", "NotTerminating"))) {
      problems.invalid("spec.scopes", scopes, "conflicting scopes");
    }
  }

  private static void checkSelector(JsonNode expressions, Problems problems) {
    for (JsonNode expression : expressions) {
      String scope = expression.path("scopeName").asString("");
      String operator = expression.path("operator").asString("");
      JsonNode values = expression.path("values");
      if (!isScope(scope)) {
        problems.invalid(SELECTOR + ".scopeName", scope, "unsupported scope");
      }
      if (FLAG_SCOPES.contains(scope) && !operator.equals("Exists")) {
        problems.invalid(
            SELECTOR + ".operator",
            operator,
            "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating,"
                + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                + " ResourceQuotaScopeNotBestEffort or"
                + " ResourceQuotaScopeCrossNamespacePodAffinity");
      }
      switch (operator) {
        case "In", "NotIn" -> {
          if (values.isEmpty()) {
            problems.required(
                SELECTOR + ".values",
                "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
          }
        }
        case "Exists", "DoesNotExist" -> {
          if (!values.isEmpty()) {
            problems.invalid(
                SELECTOR + ".values",
                values,
                "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
          }
        }
        default ->
            problems.invalid(SELECTOR + ".operator", operator, "not a valid selector operator");
      }
    }
  }

  private static Set<String> scopes(JsonNode spec) {
    return new HashSet<>(Cells.strings(spec.path("scopes")));
  }

  private static boolean isScope(String scope) {
    return scope.equals("BestEffort")
        || scope.equals("VolumeAttributesClass")
        || POD_SCOPES.contains(scope);
  }

  private static boolean applies(String scope, String name) {
    if (scope.equals("BestEffort")) {
      return name.equals("pods");
    }
    return !POD_SCOPES.contains(scope) || COMPUTE.contains(name);
  }
}
