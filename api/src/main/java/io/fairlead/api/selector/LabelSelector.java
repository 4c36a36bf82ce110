package io.fairlead.api.selector;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelRequirement.Operator;
import io.fairlead.api.status.ApiException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Picks objects by their labels: all requirements must hold. The text form is that of `kubectl -l`
/// (`app=web,tier in (front,back),!canary`), the object form is `spec.selector` of the workload
/// kinds.
public final class LabelSelector {
  /// Matches every object: no requirement at all.
  public static final LabelSelector EVERYTHING = new LabelSelector(List.of(), false);

  /// Matches no object: what an absent selector in an object means.
  public static final LabelSelector NOTHING = new LabelSelector(List.of(), true);

  private final List<LabelRequirement> requirements;
  private final boolean nothing;

  private LabelSelector(List<LabelRequirement> requirements, boolean nothing) {
    this.requirements = requirements;
    this.nothing = nothing;
  }

  /// Reads the text form; empty text is [#EVERYTHING]. Throws a 400 ApiException that names the
  /// character at fault.
  public static LabelSelector parse(String text) {
    return text.isBlank() ? EVERYTHING : sorted(new LabelSelectorParser(text).parse());
  }

  /// All these labels, the form of a Service's `spec.selector`.
  public static LabelSelector of(Map<String, String> labels) {
    List<LabelRequirement> requirements = new ArrayList<>();
    labels.forEach(
        (key, value) -> requirements.add(LabelRequirement.of(key, Operator.EQUALS, value)));
    return sorted(requirements);
  }

  /// The object form with `matchLabels` and `matchExpressions`. An empty object matches everything,
  /// null nothing. An unknown operator, which validation has refused before, gives a 400
  /// ApiException.
  public static LabelSelector of(@Nullable ObjectNode selector) {
    if (selector == null) {
      return NOTHING;
    }
    List<LabelRequirement> requirements = new ArrayList<>();
    selector
        .path("matchLabels")
        .properties()
        .forEach(
            label ->
                requirements.add(
                    LabelRequirement.of(
                        label.getKey(), Operator.EQUALS, label.getValue().asString(""))));
    for (JsonNode expression : selector.path("matchExpressions")) {
      requirements.add(requirement(expression));
    }
    return sorted(requirements);
  }

  private static LabelRequirement requirement(JsonNode expression) {
    String name = Json.textOr(expression, "", "operator");
    Operator operator =
        switch (name) {
          case "In" -> Operator.IN;
          case "NotIn" -> Operator.NOT_IN;
          case "Exists" -> Operator.EXISTS;
          case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
          default ->
              throw ApiException.badRequest(
                  "\"" + name + "\" is not a valid label selector operator");
        };
    TreeSet<String> values = new TreeSet<>();
    expression.path("values").forEach(value -> values.add(value.asString("")));
    return new LabelRequirement(Json.textOr(expression, "", "key"), operator, values);
  }

  private static LabelSelector sorted(List<LabelRequirement> requirements) {
    if (requirements.isEmpty()) {
      return EVERYTHING;
    }
    return new LabelSelector(
        requirements.stream().sorted(Comparator.comparing(LabelRequirement::key)).toList(), false);
  }

  public boolean matches(Map<String, String> labels) {
    if (nothing) {
      return false;
    }
    for (LabelRequirement requirement : requirements) {
      if (!requirement.matches(labels.get(requirement.key()))) {
        return false;
      }
    }
    return true;
  }

  /// Whether the labels of this object match; reads `metadata.labels` without building a map.
  public boolean matches(ObjectNode object) {
    if (nothing) {
      return false;
    }
    JsonNode labels = object.path("metadata").path("labels");
    for (LabelRequirement requirement : requirements) {
      JsonNode value = labels.path(requirement.key());
      if (!requirement.matches(value.isString() ? value.stringValue() : null)) {
        return false;
      }
    }
    return true;
  }

  /// Whether it has no requirement and so matches every object.
  public boolean isEmpty() {
    return requirements.isEmpty() && !nothing;
  }

  /// In the order of their keys.
  public List<LabelRequirement> requirements() {
    return requirements;
  }

  /// The text form again, requirements in the order of their keys; [#parse] reads it back. Both
  /// everything and nothing print as empty text.
  @Override
  public String toString() {
    return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LabelSelector that
        && nothing == that.nothing
        && requirements.equals(that.requirements);
  }

  @Override
  public int hashCode() {
    return requirements.hashCode() + (nothing ? 1 : 0);
  }
}
