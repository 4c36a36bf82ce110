package io.fairlead.controller.job;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// When a Job counts as done before all its indexes are (`spec.successPolicy`): as soon as one of
/// the rules is met.
///
/// @param rules in their order
record SuccessPolicy(List<Rule> rules) {
  static final SuccessPolicy NONE = new SuccessPolicy(List.of());

  /// @param indexes those that count; empty for all
  /// @param count how many of them must succeed; empty for every one
  record Rule(Optional<Set<Integer>> indexes, OptionalInt count) {
    boolean met(Set<Integer> completed) {
      Set<Integer> done = new HashSet<>(completed);
      indexes.ifPresent(done::retainAll);
      return count.isPresent()
          ? done.size() >= count.getAsInt()
          : indexes.isPresent() && done.size() == indexes.get().size();
    }
  }

  SuccessPolicy {
    rules = List.copyOf(rules);
  }

  static SuccessPolicy of(JsonNode policy) {
    List<Rule> rules = new ArrayList<>();
    for (JsonNode rule : policy.path("rules")) {
      String indexes = Json.textOr(rule, "", "succeededIndexes");
      JsonNode count = rule.path("succeededCount");
      rules.add(
          new Rule(
              indexes.isEmpty() ? Optional.empty() : Optional.of(CompletionIndexes.parse(indexes)),
              count.isNumber() ? OptionalInt.of(count.asInt(0)) : OptionalInt.empty()));
    }
    return rules.isEmpty() ? NONE : new SuccessPolicy(rules);
  }

  /// The first rule that these indexes meet, for the Job's condition.
  Optional<String> matched(Set<Integer> completed) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).met(completed)) {
        return Optional.of("Matched rules at index " + i);
      }
    }
    return Optional.empty();
  }
}
