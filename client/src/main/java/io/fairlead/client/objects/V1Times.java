package io.fairlead.client.objects;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/// Points in time as the API spells them.
public final class V1Times {
  private V1Times() {}

  /// The moment a text gives; empty when it gives none.
  public static Optional<Instant> parse(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
