package io.fairlead.server.resources.service;

import io.fairlead.server.resource.RequestContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Notices a selector that is most likely misspelled: it matches no pod, but there are pods that
/// differ from it in one value by a letter or two. A selector that merely matches nothing is no
/// evidence: the pods may be still to come.
final class SelectorTypoCheck {
  /// How many letters may be wrong, missing or too many.
  private static final int NEAR = 2;

  private SelectorTypoCheck() {}

  /// One label value that pods have in place of what is asked for.
  private record Instead(String key, String value) {}

  /// A warning, or none. Given when the selector is new or has changed, not with every write.
  static List<String> of(JsonNode spec, @Nullable JsonNode before, RequestContext context) {
    Map<String, String> selector = selector(spec);
    if (selector.isEmpty()
        || ServiceSpec.isExternalName(spec)
        || (before != null && selector.equals(selector(before)))) {
      return List.of();
    }
    Map<Instead, Integer> near = new HashMap<>();
    for (Map<String, String> labels : context.reader().labels("", "pods", context.namespace())) {
      List<String> wrong = new ArrayList<>();
      selector.forEach(
          (key, value) -> {
            if (!value.equals(labels.get(key))) {
              wrong.add(key);
            }
          });
      if (wrong.isEmpty()) {
        return List.of();
      }
      String key = wrong.getFirst();
      String value = labels.get(key);
      if (wrong.size() == 1 && value != null && isNear(selector.getOrDefault(key, ""), value)) {
        near.merge(new Instead(key, value), 1, Integer::sum);
      }
    }
    return near.entrySet().stream()
        .max(
            Map.Entry.<Instead, Integer>comparingByValue()
                .thenComparing(entry -> entry.getKey().value()))
        .map(entry -> List.of(text(selector, entry.getKey(), entry.getValue())))
        .orElse(List.of());
  }

  private static String text(Map<String, String> selector, Instead instead, int pods) {
    List<String> parts = new ArrayList<>();
    selector.forEach((key, value) -> parts.add(key + "=" + value));
    return "selector "
        + String.join(",", parts)
        + " matches no pod; "
        + (pods == 1 ? "1 pod has " : pods + " pods have ")
        + instead.key()
        + "="
        + instead.value()
        + " (FL102)";
  }

  private static Map<String, String> selector(JsonNode spec) {
    Map<String, String> selector = new TreeMap<>();
    spec.path("selector")
        .properties()
        .forEach(one -> selector.put(one.getKey(), one.getValue().asString("")));
    return selector;
  }

  /// Whether one becomes the other by at most [#NEAR] edits, and is more than those edits.
  static boolean isNear(String one, String other) {
    if (Math.min(one.length(), other.length()) <= NEAR
        || Math.abs(one.length() - other.length()) > NEAR) {
      return false;
    }
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()] <= NEAR;
  }
}
