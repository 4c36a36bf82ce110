package io.fairlead.server.auth.rbac;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// ClusterRoles that are put together from others: the rules of all ClusterRoles whose labels one
/// of the `aggregationRule.clusterRoleSelectors` matches.
public final class ClusterRoleAggregation {
  private ClusterRoleAggregation() {}

  public static boolean isAggregated(JsonNode clusterRole) {
    return !clusterRole.path("aggregationRule").path("clusterRoleSelectors").isEmpty();
  }

  /// The rules that `role` should have, each once, by the names of the roles they come from.
  public static ArrayNode rules(ObjectNode role, List<ObjectNode> clusterRoles) {
    List<String> selected = selected(role, clusterRoles);
    SequencedSet<JsonNode> rules = new LinkedHashSet<>();
    clusterRoles.stream()
        .filter(other -> selected.contains(name(other)))
        .sorted(Comparator.comparing(ClusterRoleAggregation::name))
        .forEach(other -> other.path("rules").forEach(rules::add));
    ArrayNode list = Json.array();
    rules.forEach(rule -> list.add(rule.deepCopy()));
    return list;
  }

  /// The names of the ClusterRoles whose rules `role` takes in.
  static List<String> selected(ObjectNode role, List<ObjectNode> clusterRoles) {
    List<LabelSelector> selectors = new ArrayList<>();
    for (JsonNode selector : role.path("aggregationRule").path("clusterRoleSelectors")) {
      if (selector instanceof ObjectNode object) {
        selectors.add(LabelSelector.of(object));
      }
    }
    String self = name(role);
    return clusterRoles.stream()
        .filter(other -> !name(other).equals(self))
        .filter(other -> selectors.stream().anyMatch(selector -> selector.matches(other)))
        .map(ClusterRoleAggregation::name)
        .sorted()
        .toList();
  }

  /// The same, and what those take in that are aggregated themselves (admin takes in edit, edit
  /// takes in view). No role is entered twice.
  static SequencedSet<String> closure(ObjectNode role, List<ObjectNode> clusterRoles) {
    SequencedSet<String> names = new LinkedHashSet<>();
    Deque<ObjectNode> open = new ArrayDeque<>(List.of(role));
    while (!open.isEmpty()) {
      List<String> selected = selected(open.removeFirst(), clusterRoles);
      clusterRoles.stream()
          .filter(other -> selected.contains(name(other)) && names.add(name(other)))
          .filter(ClusterRoleAggregation::isAggregated)
          .forEach(open::addLast);
    }
    return names;
  }

  private static String name(ObjectNode role) {
    return Json.textOr(role, "", "metadata", "name");
  }
}
