package io.fairlead.controller.auth;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ApiObject;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Computes the rules of a cluster role that is made of others. Pure.
final class AggregatedRules {
  private AggregatedRules() {}

  static boolean aggregates(ApiObject role) {
    return role.body().path("aggregationRule").isObject();
  }

  /// The rules the role must have: those of every other role that one of its selectors picks, in
  /// the order of the roles' names, each rule once. Empty when the role is not made of others.
  static Optional<ArrayNode> of(ApiObject role, List<ApiObject> all) {
    if (!aggregates(role)) {
      return Optional.empty();
    }
    Set<JsonNode> rules = new LinkedHashSet<>();
    List<ApiObject> sorted =
        all.stream().sorted(Comparator.comparing(other -> other.metadata().name())).toList();
    for (ApiObject other : sorted) {
      boolean itself = other.metadata().key().equals(role.metadata().key());
      if (!itself && picked(role, other)) {
        other.body().path("rules").forEach(rules::add);
      }
    }
    ArrayNode list = Json.array();
    rules.forEach(rule -> list.add(rule.deepCopy()));
    return Optional.of(list);
  }

  private static boolean picked(ApiObject role, ApiObject other) {
    for (JsonNode selector : Json.at(role.body(), "aggregationRule", "clusterRoleSelectors")) {
      if (selector instanceof ObjectNode object
          && LabelSelector.of(object).matches(other.metadata().labels())) {
        return true;
      }
    }
    return false;
  }
}
