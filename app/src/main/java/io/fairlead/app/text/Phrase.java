package io.fairlead.app.text;

import java.util.List;

/// A sentence by its key, put into words only where the language is known.
public record Phrase(String key, List<Object> values) {
  public Phrase {
    values = List.copyOf(values);
  }

  public static Phrase of(String key, Object... values) {
    return new Phrase(key, List.of(values));
  }
}
