package io.fairlead.insight.finding;

import java.util.Map;
import java.util.TreeMap;

/// A sentence by its key in the catalogue, put into words only where the language is known.
///
/// @param values by the names that stand in braces in the text
public record Sentence(String key, Map<String, String> values) {
  public Sentence {
    values = java.util.Collections.unmodifiableMap(new TreeMap<>(values));
  }

  public static Sentence of(String key) {
    return new Sentence(key, Map.of());
  }

  public static Sentence of(String key, String name, Object value) {
    return new Sentence(key, Map.of(name, String.valueOf(value)));
  }

  public static Sentence of(String key, String one, Object first, String two, Object second) {
    return new Sentence(key, Map.of(one, String.valueOf(first), two, String.valueOf(second)));
  }
}
