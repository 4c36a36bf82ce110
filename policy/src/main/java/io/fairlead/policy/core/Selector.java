package io.fairlead.policy.core;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelRequirement;
import io.fairlead.api.selector.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// A label selector in canonical form: requirements and values are sorted, and `matchLabels` are
/// written as `In` with one value. So selectors that say the same in the same words are equal.
///
/// @param requirements all must hold; none matches everything
public record Selector(List<LabelRequirement> requirements) {
  private static final Comparator<LabelRequirement> ORDER =
      Comparator.comparing(LabelRequirement::key)
          .thenComparing(LabelRequirement::operator)
          .thenComparing(requirement -> String.join("\0", requirement.values()));

  // After ORDER, which its constructor uses.
  public static final Selector EVERYTHING = new Selector(List.of());

  public Selector {
    requirements = requirements.stream().sorted(ORDER).distinct().toList();
  }

  /// The selector of an object; empty when an operator is unknown or lacks its values, which must
  /// not be taken for a selector that matches.
  static Optional<Selector> of(JsonNode selector) {
    List<LabelRequirement> requirements = new ArrayList<>();
    selector
        .path("matchLabels")
        .properties()
        .forEach(
            label ->
                requirements.add(in(label.getKey(), Operator.IN, label.getValue().asString(""))));
    for (JsonNode expression : selector.path("matchExpressions")) {
      Optional<LabelRequirement> requirement = requirement(expression);
      if (requirement.isEmpty()) {
        return Optional.empty();
      }
      requirements.add(requirement.get());
    }
    return Optional.of(new Selector(requirements));
  }

  private static LabelRequirement in(String key, Operator operator, String value) {
    TreeSet<String> values = new TreeSet<>();
    values.add(value);
    return new LabelRequirement(key, operator, values);
  }

  private static Optional<LabelRequirement> requirement(JsonNode expression) {
    TreeSet<String> values = new TreeSet<>();
    expression.path("values").forEach(value -> values.add(value.asString("")));
    String key = Json.textOr(expression, "", "key");
    return switch (Json.textOr(expression, "", "operator")) {
      case "In" -> listed(key, Operator.IN, values);
      case "NotIn" -> listed(key, Operator.NOT_IN, values);
      case "Exists" -> Optional.of(new LabelRequirement(key, Operator.EXISTS, new TreeSet<>()));
      case "DoesNotExist" ->
          Optional.of(new LabelRequirement(key, Operator.DOES_NOT_EXIST, new TreeSet<>()));
      default -> Optional.empty();
    };
  }

  private static Optional<LabelRequirement> listed(
      String key, Operator operator, TreeSet<String> values) {
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(new LabelRequirement(key, operator, values));
  }

  public boolean matches(Map<String, String> labels) {
    for (LabelRequirement requirement : requirements) {
      if (!requirement.matches(labels.get(requirement.key()))) {
        return false;
      }
    }
    return true;
  }

  /// Whether it matches every object.
  public boolean isEverything() {
    return requirements.isEmpty();
  }

  /// `app=web,tier in (a,b)`; empty for everything.
  @Override
  public String toString() {
    return requirements.stream().map(Selector::text).collect(Collectors.joining(","));
  }

  private static String text(LabelRequirement requirement) {
    return requirement.operator() == Operator.IN && requirement.values().size() == 1
        ? requirement.key() + "=" + requirement.values().first()
        : requirement.toString();
  }
}
