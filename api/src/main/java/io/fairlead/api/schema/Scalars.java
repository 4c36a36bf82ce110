package io.fairlead.api.schema;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.quantity.Quantity;
import java.time.Instant;
import java.util.Base64;
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
      case TIME -> "v1.Time";
      case MICRO_TIME -> "v1.MicroTime";
      case DURATION -> "v1.Duration";
      case INT_OR_STRING -> "intstr.IntOrString";
      case QUANTITY -> "resource.Quantity";
      case ANY -> "runtime.RawExtension";
    };
  }

  private static @Nullable JsonNode quantity(JsonNode value) {
    if (!value.isString() && !value.isNumber()) {
      return null;
    }
    String text = value.asString();
    String canonical = Quantity.canonical(text);
    if (canonical == null) {
      throw new DecodeException(Quantity.PATTERN_PROBLEM + ": " + shown(text));
    }
    return text(value, canonical);
  }

  private static JsonNode time(ScalarKind kind, String text) {
    Instant time = Times.parse(text);
    if (time == null) {
      throw new DecodeException(
          "parsing time "
              + shown(text)
              + " as \"2006-01-02T15:04:05Z07:00\": not an RFC 3339 time");
    }
    String canonical = kind == ScalarKind.TIME ? Times.seconds(time) : Times.microseconds(time);
    return NODES.stringNode(canonical);
  }

  private static JsonNode bytes(JsonNode value) {
    String text = value.stringValue();
    String packed = text.indexOf('\n') < 0 && text.indexOf('\r') < 0 ? text : packed(text);
    try {
      if (packed.length() % 4 != 0) {
        throw new IllegalArgumentException();
      }
      Base64.getDecoder().decode(packed);
    } catch (IllegalArgumentException e) {
      throw new DecodeException("illegal base64 data at input byte " + firstBad(packed));
    }
    return text(value, packed);
  }

  private static String packed(String text) {
    return text.replace("\n", "").replace("\r", "");
  }

  private static int firstBad(String text) {
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      boolean digit =
          (c >= 'A' && c <= 'Z')
              || (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9')
              || c == '+'
              || c == '/';
      if (!digit) {
        return at;
      }
    }
    return text.length();
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
