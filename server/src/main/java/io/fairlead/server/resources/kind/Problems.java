package io.fairlead.server.resources.kind;

import io.fairlead.api.status.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Collects what is wrong with an object, in the order in which it is found.
public final class Problems {
  public static final String IMMUTABLE = "field is immutable";
  public static final String NOT_NEGATIVE = "must be greater than or equal to 0";

  public static final JsonNode EMPTY_TEXT = JsonNodeFactory.instance.stringNode("");

  private final List<FieldError> found = new ArrayList<>();

  public List<FieldError> list() {
    return found;
  }

  public boolean isEmpty() {
    return found.isEmpty();
  }

  public Problems add(FieldError error) {
    found.add(error);
    return this;
  }

  public Problems addAll(List<FieldError> errors) {
    found.addAll(errors);
    return this;
  }

  public void required(String field) {
    found.add(FieldError.required(field, ""));
  }

  public void required(String field, String detail) {
    found.add(FieldError.required(field, detail));
  }

  public void invalid(String field, String value, String detail) {
    found.add(FieldError.invalid(field, value, detail));
  }

  public void invalid(String field, JsonNode value, String detail) {
    found.add(FieldError.invalid(field, value, detail));
  }

  public void invalid(String field, long value, String detail) {
    found.add(FieldError.invalid(field, value, detail));
  }

  public void forbidden(String field, String detail) {
    found.add(FieldError.forbidden(field, detail));
  }

  public void duplicate(String field, String value) {
    found.add(FieldError.duplicate(field, value));
  }

  public void duplicate(String field, JsonNode value) {
    found.add(FieldError.duplicate(field, value));
  }

  /// One Invalid error for each text, as the checks of names report them.
  public void each(String field, String value, List<String> texts) {
    for (String text : texts) {
      invalid(field, value, text);
    }
  }

  /// The value must be one of these; they are shown in the given order.
  public void oneOf(String field, JsonNode value, List<String> choices) {
    if (!choices.contains(value.asString(""))) {
      found.add(FieldError.notSupported(field, textual(value), choices));
    }
  }

  /// Like [#oneOf], but a missing or empty value is reported as required.
  public void requiredOneOf(String field, JsonNode value, List<String> choices) {
    if (value.asString("").isEmpty()) {
      required(field);
    } else {
      oneOf(field, value, choices);
    }
  }

  /// A number that is present must not be below zero.
  public void notNegative(String field, JsonNode value) {
    if (value.isNumber() && value.asLong(0) < 0) {
      invalid(field, value, NOT_NEGATIVE);
    }
  }

  /// A number that is present must be above zero.
  public void positive(String field, JsonNode value) {
    if (value.isNumber() && value.asLong(0) <= 0) {
      invalid(field, value, "must be greater than 0");
    }
  }

  /// The text must not have been seen before.
  public void unique(String field, String value, Set<String> seen) {
    if (!seen.add(value)) {
      duplicate(field, value);
    }
  }

  /// A value that must not change; both missing is no change.
  public void immutable(String field, JsonNode now, JsonNode before) {
    if (!now.equals(before)) {
      // A text that was taken away is an empty one.
      boolean text = now.isMissingNode() && before.isString();
      invalid(field, text ? JsonNodeFactory.instance.stringNode("") : now, IMMUTABLE);
    }
  }

  public static Set<String> seen() {
    return new HashSet<>();
  }

  private static JsonNode textual(JsonNode value) {
    return value.isMissingNode() ? JsonNodeFactory.instance.stringNode("") : value;
  }
}
