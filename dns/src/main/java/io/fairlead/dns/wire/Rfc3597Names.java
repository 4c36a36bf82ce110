package io.fairlead.dns.wire;

import java.util.OptionalInt;

/// `TYPE999` and `CLASS9`: how RFC 3597 spells what has no name.
final class Rfc3597Names {
  private static final int LARGEST = 65535;

  private Rfc3597Names() {}

  static OptionalInt parse(String text, String prefix) {
    if (!text.startsWith(prefix) || text.length() > prefix.length() + 5) {
      return OptionalInt.empty();
    }
    String digits = text.substring(prefix.length());
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalInt.empty();
    }
    int number = Integer.parseInt(digits);
    return number > LARGEST ? OptionalInt.empty() : OptionalInt.of(number);
  }
}
