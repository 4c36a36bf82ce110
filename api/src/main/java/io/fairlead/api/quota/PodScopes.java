package io.fairlead.api.quota;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// What the scopes of quotas ask about a pod.
///
/// @param terminating it has an end (`activeDeadlineSeconds`)
/// @param bestEffort it asks for nothing
/// @param priorityClass empty when it names none
/// @param crossNamespace its affinity looks into other namespaces
public record PodScopes(
    boolean terminating, boolean bestEffort, String priorityClass, boolean crossNamespace) {
  private static final List<String> TERMS =
      List.of(
          "requiredDuringSchedulingIgnoredDuringExecution",
          "preferredDuringSchedulingIgnoredDuringExecution");

  public static PodScopes of(JsonNode object) {
    JsonNode spec = object.path("spec");
    return new PodScopes(
        spec.path("activeDeadlineSeconds").isNumber(),
        PodAmounts.isBestEffort(spec),
        spec.path("priorityClassName").asString(""),
        looksElsewhere(spec.path("affinity")));
  }

  private static boolean looksElsewhere(JsonNode affinity) {
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      for (String terms : TERMS) {
        for (JsonNode entry : affinity.path(kind).path(terms)) {
          JsonNode term = entry.has("podAffinityTerm") ? entry.path("podAffinityTerm") : entry;
          if (!term.path("namespaces").isEmpty() || term.path("namespaceSelector").isObject()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  boolean fits(JsonNode scopes, JsonNode expressions) {
    for (JsonNode scope : scopes) {
      if (!has(scope.asString(""))) {
        return false;
      }
    }
    for (JsonNode expression : expressions) {
      if (!fits(expression)) {
        return false;
      }
    }
    return true;
  }

  private boolean has(String scope) {
    return switch (scope) {
      case "Terminating" -> terminating;
      case "NotTerminating" -> !terminating;
      case "BestEffort" -> bestEffort;
      case "NotBestEffort" -> !bestEffort;
      case "PriorityClass" -> !priorityClass.isEmpty();
      case "CrossNamespacePodAffinity" -> crossNamespace;
      default -> false;
    };
  }

  private boolean fits(JsonNode expression) {
    String scope = expression.path("scopeName").asString("");
    String operator = expression.path("operator").asString("Exists");
    if (!scope.equals("PriorityClass")) {
      return operator.equals("DoesNotExist") != has(scope);
    }
    boolean listed = false;
    for (JsonNode value : expression.path("values")) {
      listed |= value.asString("").equals(priorityClass);
    }
    return switch (operator) {
      case "In" -> !priorityClass.isEmpty() && listed;
      case "NotIn" -> !priorityClass.isEmpty() && !listed;
      case "DoesNotExist" -> priorityClass.isEmpty();
      default -> !priorityClass.isEmpty();
    };
  }
}
