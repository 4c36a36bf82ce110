package io.fairlead.api.quota;

import io.fairlead.api.schema.Quantity;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Amounts by name, in the order of names: `{cpu: 100m, memory: 1Gi}`.
public final class ResourceAmounts {
  private ResourceAmounts() {}

  /// Reads a map of quantities; what is none is left out.
  public static Map<String, Quantity> of(JsonNode map) {
    Map<String, Quantity> amounts = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      Quantity amount = Quantity.parseOrNull(entry.getValue().asString(""));
      if (amount != null) {
        amounts.put(entry.getKey(), amount);
      }
    }
    return amounts;
  }

  /// Writes them as a map.
  public static void write(Map<String, Quantity> amounts, ObjectNode into) {
    new TreeMap<>(amounts).forEach((name, amount) -> into.put(name, amount.toString()));
  }

  /// Adds each amount to what is there.
  public static void add(Map<String, Quantity> sums, Map<String, Quantity> more) {
    more.forEach((name, amount) -> sums.merge(name, amount, Quantity::plus));
  }

  /// Keeps of each amount the larger one.
  public static void largest(Map<String, Quantity> sums, Map<String, Quantity> other) {
    other.forEach(
        (name, amount) ->
            sums.merge(name, amount, (one, two) -> one.compareTo(two) >= 0 ? one : two));
  }

  /// `cpu=1,memory=2Gi`, as messages show them.
  public static String text(Map<String, Quantity> amounts) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(amounts)
        .forEach(
            (name, amount) ->
                text.append(text.isEmpty() ? "" : ",").append(name).append('=').append(amount));
    return text.toString();
  }
}
