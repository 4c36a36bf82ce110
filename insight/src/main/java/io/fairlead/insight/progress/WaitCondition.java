package io.fairlead.insight.progress;

import java.util.Locale;
import java.util.Optional;

/// What a caller waits for.
///
/// @param endpoints how many there must be, for [Kind#SERVING]; 0 otherwise
public record WaitCondition(Kind kind, int endpoints) {
  /// The sorts of conditions.
  public enum Kind {
    /// The rules of every node show the Service and its slices.
    PROGRAMMED,
    /// Every port has an endpoint that is ready.
    READY,
    /// Every port has so many.
    SERVING,
    /// The name resolves to what the API says.
    NAME
  }

  /// As a user writes it: `programmed`, `ready`, `serving`, `serving=3`, `name`.
  public static Optional<WaitCondition> parse(String text) {
    int is = text.indexOf('=');
    String word = is < 0 ? text : text.substring(0, is);
    String number = is < 0 ? "" : text.substring(is + 1);
    for (Kind kind : Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
        if (is < 0) {
          return Optional.of(new WaitCondition(kind, kind == Kind.SERVING ? 1 : 0));
        }
        return kind == Kind.SERVING && number.matches("[0-9]{1,6}")
            ? Optional.of(new WaitCondition(kind, Integer.parseInt(number)))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /// As a user writes it.
  @Override
  public String toString() {
    String word = kind.name().toLowerCase(Locale.ROOT);
    return kind == Kind.SERVING ? word + "=" + endpoints : word;
  }
}
