package io.fairlead.api.status;

import io.fairlead.api.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// One thing that is wrong with one field, in the words kubectl users know: `spec.ports[0].port:
/// Invalid value: 0: must be between 1 and 65535, inclusive`.
///
/// @param field the path, `spec.ports[0].port`
/// @param value what was there; null for kinds that show none
/// @param detail the explanation; may be empty
public record FieldError(Kind kind, String field, @Nullable JsonNode value, String detail) {

  /// The kinds of field errors, with the text and the cause reason Kubernetes gives each.
  public enum Kind {
    REQUIRED("Required value", "FieldValueRequired", false),
    INVALID("Invalid value", "FieldValueInvalid", true),
    NOT_SUPPORTED("Unsupported value", "FieldValueNotSupported", true),
    DUPLICATE("Duplicate value", "FieldValueDuplicate", true),
    FORBIDDEN("Forbidden", "FieldValueForbidden", false),
    TOO_LONG("Too long", "FieldValueTooLong", false),
    TOO_MANY("Too many", "FieldValueTooMany", true),
    NOT_FOUND("Not found", "FieldValueNotFound", true),
    TYPE_INVALID("Invalid value", "FieldValueTypeInvalid", true),
    INTERNAL("Internal error", "InternalError", false);

    private final String text;
    private final String reason;
    private final boolean showsValue;

    Kind(String text, String reason, boolean showsValue) {
      this.text = text;
      this.reason = reason;
      this.showsValue = showsValue;
    }

    /// The cause reason in a Status, `FieldValueRequired`.
    public String reason() {
      return reason;
    }
  }

  public static FieldError required(String field, String detail) {
    return new FieldError(Kind.REQUIRED, field, null, detail);
  }

  public static FieldError invalid(String field, JsonNode value, String detail) {
    return new FieldError(Kind.INVALID, field, value, detail);
  }

  public static FieldError invalid(String field, String value, String detail) {
    return invalid(field, JsonNodeFactory.instance.stringNode(value), detail);
  }

  public static FieldError invalid(String field, long value, String detail) {
    return invalid(field, JsonNodeFactory.instance.numberNode(value), detail);
  }

  /// `supported` are printed in the given order; most callers sort them first.
  public static FieldError notSupported(String field, JsonNode value, Iterable<String> supported) {
    StringBuilder detail = new StringBuilder("supported values: ");
    String separator = "";
    for (String choice : supported) {
      detail.append(separator).append('"').append(choice).append('"');
      separator = ", ";
    }
    return new FieldError(Kind.NOT_SUPPORTED, field, value, detail.toString());
  }

  public static FieldError duplicate(String field, JsonNode value) {
    return new FieldError(Kind.DUPLICATE, field, value, "");
  }

  public static FieldError duplicate(String field, String value) {
    return duplicate(field, JsonNodeFactory.instance.stringNode(value));
  }

  public static FieldError forbidden(String field, String detail) {
    return new FieldError(Kind.FORBIDDEN, field, null, detail);
  }

  public static FieldError tooLong(String field, int max) {
    return new FieldError(Kind.TOO_LONG, field, null, "may not be more than " + max + " bytes");
  }

  public static FieldError tooMany(String field, int actual, int max) {
    return new FieldError(
        Kind.TOO_MANY,
        field,
        JsonNodeFactory.instance.numberNode(actual),
        "must have at most " + max + " items");
  }

  public static FieldError notFound(String field, String value) {
    return new FieldError(Kind.NOT_FOUND, field, JsonNodeFactory.instance.stringNode(value), "");
  }

  /// Without the field: what a Status cause carries as its message.
  public String body() {
    StringBuilder text = new StringBuilder(kind.text);
    if (kind.showsValue && value != null) {
      text.append(": ").append(shown(value));
    }
    if (!detail.isEmpty()) {
      text.append(": ").append(detail);
    }
    return text.toString();
  }

  /// With the field, as it stands in the message of an Invalid error.
  public String message() {
    return field + ": " + body();
  }

  private static String shown(JsonNode value) {
    String text = new String(Json.bytes(value), java.nio.charset.StandardCharsets.UTF_8);
    // Go writes these so wherever it writes JSON; a text alone it quotes in another way.
    return value.isContainer()
        ? text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        : text;
  }
}
