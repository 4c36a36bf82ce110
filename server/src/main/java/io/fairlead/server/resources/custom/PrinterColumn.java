package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resources.table.Age;
import io.fairlead.server.resources.table.Cells;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// A column of the table of a custom resource.
///
/// @param path where its value is; null when the path cannot be read, and then it stays empty
record PrinterColumn(Column column, @Nullable JsonPathExpression path) {
  static final PrinterColumn AGE =
      of(
          Json.object()
              .put("name", "Age")
              .put("type", "date")
              .put("description", "When this object was made, on the server's clock.")
              .put("jsonPath", ".metadata.creationTimestamp"));

  static PrinterColumn of(JsonNode source) {
    Column column =
        new Column(
            Json.textOr(source, "", "name"),
            Json.textOr(source, "string", "type"),
            Json.textOr(source, "", "format"),
            describe(source),
            source.path("priority").asInt(0));
    return new PrinterColumn(column, path(Json.textOr(source, "", "jsonPath")));
  }

  private static String describe(JsonNode source) {
    String description = Json.textOr(source, "", "description");
    return description.isEmpty()
        ? "Custom resource definition column (in JSONPath format): "
            + Json.textOr(source, "", "jsonPath")
        : description;
  }

  private static @Nullable JsonPathExpression path(String text) {
    try {
      return JsonPathExpression.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  JsonNode cell(JsonNode object, Instant now) {
    List<JsonNode> found = path == null ? List.of() : path.find(object);
    if (found.isEmpty()) {
      return JsonNodeFactory.instance.nullNode();
    }
    JsonNode first = found.getFirst();
    JsonNode cell =
        switch (column.type()) {
          case "integer" ->
              first.isNumber() ? JsonNodeFactory.instance.numberNode(first.asLong(0)) : null;
          case "number" -> first.isNumber() ? first : null;
          case "boolean" -> first.isBoolean() ? first : null;
          case "date" -> first.isString() ? Cells.text(age(first, now)) : null;
          default -> Cells.text(shown(first));
        };
    return cell == null ? JsonNodeFactory.instance.nullNode() : cell;
  }

  private static String age(JsonNode time, Instant now) {
    return Age.instant(time) == null ? "<invalid>" : Age.since(time, now);
  }

  private static String shown(JsonNode value) {
    if (value.isContainer()) {
      return value.toString();
    }
    if (value.isNumber() && !value.isIntegralNumber()) {
      BigDecimal number = value.decimalValue().stripTrailingZeros();
      return number.toPlainString();
    }
    return value.isNull() ? "<none>" : value.asString("");
  }
}
