package io.fairlead.api.selector;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One condition of a [LabelSelector].
///
/// @param values none for the two existence operators, one for the comparing ones, in order
public record LabelRequirement(String key, Operator operator, SortedSet<String> values) {

  /// How the label is looked at.
  public enum Operator {
    EQUALS("="),
    DOUBLE_EQUALS("=="),
    NOT_EQUALS("!="),
    IN(" in "),
    NOT_IN(" notin "),
    EXISTS(""),
    DOES_NOT_EXIST("!"),
    GREATER(">"),
    LESS("<");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }
  }

  public LabelRequirement {
    values = Collections.unmodifiableSortedSet(new TreeSet<>(values));
  }

  static LabelRequirement of(String key, Operator operator, String value) {
    TreeSet<String> values = new TreeSet<>();
    values.add(value);
    return new LabelRequirement(key, operator, values);
  }

  /// Whether a label with that value satisfies it; null stands for an absent label. An absent label
  /// satisfies the negative operators.
  public boolean matches(@Nullable String value) {
    return switch (operator) {
      case EQUALS, DOUBLE_EQUALS, IN -> value != null && values.contains(value);
      case NOT_EQUALS, NOT_IN -> value == null || !values.contains(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GREATER, LESS -> value != null && compares(value);
    };
  }

  // A label that is no number satisfies neither direction.
  private boolean compares(String value) {
    Long left = wholeNumber(value);
    Long right = wholeNumber(values.first());
    if (left == null || right == null) {
      return false;
    }
    return operator == Operator.GREATER ? left > right : left < right;
  }

  /// A signed decimal number of 64 bits, or null.
  static @Nullable Long wholeNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean sign = i == 0 && (c == '-' || c == '+');
      if (!sign && (c < '0' || c > '9')) {
        return null;
      }
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException tooLongOrEmpty) {
      return null;
    }
  }

  @Override
  public String toString() {
    return switch (operator) {
      case EXISTS -> key;
      case DOES_NOT_EXIST -> "!" + key;
      case IN, NOT_IN -> key + operator.sign + "(" + String.join(",", values) + ")";
      case EQUALS, DOUBLE_EQUALS, NOT_EQUALS, GREATER, LESS -> key + operator.sign + values.first();
    };
  }
}
