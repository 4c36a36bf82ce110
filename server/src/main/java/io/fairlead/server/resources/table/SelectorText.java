package io.fairlead.server.resources.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// Selectors as people write them: `app=web,tier in (a,b)`.
public final class SelectorText {
  public static final String NONE = "<none>";

  private SelectorText() {}

  /// A label selector with matchLabels and matchExpressions; empty text when it selects all.
  public static String ofSelector(JsonNode selector) {
    TreeMap<String, List<String>> byKey = new TreeMap<>();
    for (Map.Entry<String, JsonNode> label : selector.path("matchLabels").properties()) {
      byKey
          .computeIfAbsent(label.getKey(), _ -> new ArrayList<>())
          .add(label.getKey() + "=" + label.getValue().asString(""));
    }
    for (JsonNode expression : selector.path("matchExpressions")) {
      String key = expression.path("key").asString("");
      byKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(ofExpression(key, expression));
    }
    return byKey.values().stream()
        .flatMap(List::stream)
        .reduce((one, two) -> one + "," + two)
        .orElse("");
  }

  /// A plain map of labels; empty text when there are none.
  public static String ofLabels(JsonNode labels) {
    TreeMap<String, String> sorted = new TreeMap<>();
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      sorted.put(label.getKey(), label.getValue().asString(""));
    }
    List<String> parts = new ArrayList<>();
    sorted.forEach((key, value) -> parts.add(key + "=" + value));
    return String.join(",", parts);
  }

  /// `<none>` in place of an empty text, as tables show it.
  public static String orNone(String text) {
    return text.isEmpty() ? NONE : text;
  }

  private static String ofExpression(String key, JsonNode expression) {
    List<String> values = new ArrayList<>();
    for (JsonNode value : expression.path("values")) {
      values.add(value.asString(""));
    }
    values.sort(null);
    String list = "(" + String.join(",", values) + ")";
    return switch (expression.path("operator").asString("")) {
      case "In" -> key + " in " + list;
      case "NotIn" -> key + " notin " + list;
      case "DoesNotExist" -> "!" + key;
      default -> key;
    };
  }
}
