package io.fairlead.api.schema;

import io.fairlead.api.json.DecodeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Checks and normalises leaves.
final class Scalars {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Scalars() {}

  /// The value in its canonical form, or null when its JSON type does not fit. Throws
  /// DecodeException when the type fits and the text does not.
  static @Nullable JsonNode canonical(ScalarKind kind, JsonNode value) {
    return switch (kind) {
      case STRING -> value.isString() ? value : null;
      case DURATION -> value.isString() ? duration(value) : null;
      case BOOLEAN -> value.isBoolean() ? value : null;
      case INT32 -> value.isIntegralNumber() && value.canConvertToInt() ? value : null;
      case INT64 -> value.isIntegralNumber() && value.canConvertToLong() ? value : null;
      case DOUBLE -> value.isNumber() ? value : null;
      case BYTES -> value.isString() ? bytes(value) : null;
      case TIME, MICRO_TIME -> value.isString() ? time(kind, value.stringValue()) : null;
      case INT_OR_STRING ->
          value.isString() || (value.isIntegralNumber() && value.canConvertToInt()) ? value : null;
      case QUANTITY -> quantity(value);
      case ANY -> value;
    };
  }

  /// Whether a Go encoder with `omitempty` would leave the value out.
  static boolean isZero(ScalarKind kind, JsonNode value) {
    return switch (kind) {
      case STRING, BYTES -> value.isString() && value.stringValue().isEmpty();
      case BOOLEAN -> value.isBoolean() && !value.booleanValue();
      case INT32, INT64, DOUBLE -> value.isNumber() && value.doubleValue() == 0;
      case INT_OR_STRING, TIME, MICRO_TIME, DURATION, QUANTITY, ANY -> false;
    };
  }

  /// What Go calls the type.
  static String goName(ScalarKind kind) {
    return switch (kind) {
      case STRING -> "string";
      case BOOLEAN -> "bool";
      case INT32 -> "int32";
      case INT64 -> "int64";
      case DOUBLE -> "float64";
      case BYTES -> "[]uint8";
      // These read themselves from text, or else from a number.
      case TIME, MICRO_TIME, DURATION -> "string";
      case INT_OR_STRING -> "int32";
      case QUANTITY -> "resource.Quantity";
      case ANY -> "runtime.RawExtension";
    };
  }

  /// The amount of a resource without what is smaller than a thousandth, rounded up.
  static JsonNode roundedToMillis(JsonNode value) {
    String text = value.stringValue();
    char last = text.charAt(text.length() - 1);
    if (last != 'n' && last != 'u' && !text.contains("e-") && !text.contains("E-")) {
      return value;
    }
    return text(value, Quantity.parse(text).roundedToMillis().toString());
  }

  private static JsonNode quantity(JsonNode value) {
    String text =
        value.isString()
            ? value.stringValue()
            : value.isNumber() ? value.decimalValue().toPlainString() : "";
    String canonical = Quantity.canonical(text);
    if (canonical == null) {
      throw new DecodeException(Quantity.PATTERN_PROBLEM);
    }
    return text(value, canonical);
  }

  private static JsonNode time(ScalarKind kind, String text) {
    Instant time =
        kind == ScalarKind.TIME || Times.hasMicroseconds(text) ? Times.parse(text) : null;
    if (time == null) {
      throw new DecodeException(TimeProblem.of(text, kind == ScalarKind.MICRO_TIME));
    }
    String canonical = kind == ScalarKind.TIME ? Times.seconds(time) : Times.microseconds(time);
    return NODES.stringNode(canonical);
  }

  private static JsonNode bytes(JsonNode value) {
    String text = value.stringValue();
    String packed = text.indexOf('\n') < 0 && text.indexOf('\r') < 0 ? text : packed(text);
    int bad = firstBad(packed);
    if (bad >= 0) {
      throw new DecodeException("illegal base64 data at input byte " + bad);
    }
    return text(value, packed);
  }

  private static String packed(String text) {
    return text.replace("\n", "").replace("\r", "");
  }

  /// Where base64 with padding goes wrong, or -1. A group that is cut short is wrong where it
  /// begins.
  private static int firstBad(String text) {
    for (int at = 0; at < text.length(); at++) {
      if (isBase64(text.charAt(at))) {
        continue;
      }
      if (text.charAt(at) != '=' || at % 4 < 2) {
        return at;
      }
      int end = at + 1;
      if (at % 4 == 2) {
        if (end == text.length()) {
          return end;
        }
        if (text.charAt(end) != '=') {
          return at;
        }
        end++;
      }
      return end < text.length() ? end : -1;
    }
    return text.length() % 4 == 0 ? -1 : text.length() - text.length() % 4;
  }

  private static boolean isBase64(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '+'
        || c == '/';
  }

  private static JsonNode duration(JsonNode value) {
    if (!Durations.isDuration(value.stringValue())) {
      throw new DecodeException("time: invalid duration " + shown(value.stringValue()));
    }
    return value;
  }

  private static JsonNode text(JsonNode value, String canonical) {
    return value.isString() && value.stringValue().equals(canonical)
        ? value
        : NODES.stringNode(canonical);
  }

  private static String shown(String text) {
    return '"' + (text.length() > 64 ? text.substring(0, 64) + "…" : text) + '"';
  }
}
