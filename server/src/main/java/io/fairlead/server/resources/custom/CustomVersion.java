package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One version of a definition.
///
/// @param deprecation what its users are warned of, empty for the usual words; null when it is not
///   deprecated
/// @param schema its schema, compiled
/// @param hasStatus whether the status is a part with a path of its own
/// @param scale where the numbers of `…/scale` are; null when there is no such part
/// @param columns the columns of its table behind the name
/// @param selectableFields the paths that a field selector may name, `spec.color`
public record CustomVersion(
    String name,
    boolean served,
    boolean storage,
    @Nullable String deprecation,
    StructuralSchema schema,
    boolean hasStatus,
    @Nullable ScalePaths scale,
    List<PrinterColumn> columns,
    List<String> selectableFields) {

  /// Where `…/scale` finds its numbers, each a path such as `.spec.replicas`.
  ///
  /// @param selector empty when there is none
  public record ScalePaths(String specReplicas, String statusReplicas, String selector) {}

  static CustomVersion of(JsonNode source) {
    JsonNode subresources = source.path("subresources");
    String version = Json.textOr(source, "", "name");
    return new CustomVersion(
        version,
        source.path("served").asBoolean(false),
        source.path("storage").asBoolean(false),
        deprecation(source),
        SchemaCompiler.compile(
            source.path("schema").path("openAPIV3Schema") instanceof ObjectNode schema
                ? schema
                : Json.object()),
        subresources.has("status"),
        scale(subresources.path("scale")),
        columns(source.path("additionalPrinterColumns")),
        fields(source.path("selectableFields")));
  }

  private static @Nullable String deprecation(JsonNode source) {
    return source.path("deprecated").asBoolean(false)
        ? Json.textOr(source, "", "deprecationWarning")
        : null;
  }

  private static @Nullable ScalePaths scale(JsonNode source) {
    return source.isObject()
        ? new ScalePaths(
            Json.textOr(source, "", "specReplicasPath"),
            Json.textOr(source, "", "statusReplicasPath"),
            Json.textOr(source, "", "labelSelectorPath"))
        : null;
  }

  private static List<PrinterColumn> columns(JsonNode source) {
    List<PrinterColumn> columns = new ArrayList<>();
    source.forEach(each -> columns.add(PrinterColumn.of(each)));
    return columns.isEmpty() ? List.of(PrinterColumn.AGE) : columns;
  }

  private static List<String> fields(JsonNode source) {
    List<String> fields = new ArrayList<>();
    for (JsonNode each : source) {
      fields.add(Json.textOr(each, "", "jsonPath").replaceFirst("^\\.", ""));
    }
    return fields;
  }
}
