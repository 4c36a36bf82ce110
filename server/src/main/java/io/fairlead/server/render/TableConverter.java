package io.fairlead.server.render;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.TableRows;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns objects into the rows that kubectl prints (spec 1.8).
final class TableConverter {
  private final Resource resource;
  private final ClusterReader reader;
  private final TableRows rows;
  private final Include include;
  private final String apiVersion;

  /// How much of the object a row carries.
  enum Include {
    NONE,
    METADATA,
    OBJECT;

    static Include parse(String text) {
      return switch (text) {
        case "", "Metadata" -> METADATA;
        case "None" -> NONE;
        case "Object" -> OBJECT;
        default ->
            throw ApiException.badRequest(
                "Unable to convert to Table as requested: includeObject: Invalid value: \""
                    + text
                    + "\": must be 'Metadata', 'Object', 'None', or empty");
      };
    }
  }

  TableConverter(
      Resource resource, ClusterReader reader, ResponseFormat format, String includeObject) {
    this.resource = resource;
    this.reader = reader;
    this.rows = resource.rows(reader);
    this.include = Include.parse(includeObject);
    this.apiVersion = format.metaApiVersion();
  }

  /// A table without rows.
  ObjectNode head(String resourceVersion, boolean withColumns) {
    ObjectNode table = Json.object();
    table.put("kind", "Table").put("apiVersion", apiVersion);
    table.putObject("metadata").put("resourceVersion", resourceVersion);
    if (withColumns) {
      table.set("columnDefinitions", columns());
    } else {
      table.putNull("columnDefinitions");
    }
    return table;
  }

  /// A table with one row. What it tells about other objects is read for it alone.
  ObjectNode single(ObjectNode object, Instant now, boolean withColumns) {
    ObjectNode table = head(Json.textOr(object, "", "metadata", "resourceVersion"), withColumns);
    table.putArray("rows").add(row(object, now, resource.rows(reader)));
    return table;
  }

  /// A bookmark as a table: one row of empty cells, whose object carries the annotations.
  ObjectNode bookmark(ObjectNode object, boolean withColumns) {
    ObjectNode table = head(Json.textOr(object, "", "metadata", "resourceVersion"), withColumns);
    ObjectNode row = table.putArray("rows").addObject();
    ArrayNode cells = row.putArray("cells");
    resource.columns().forEach(_ -> cells.add(""));
    attach(row, object);
    return table;
  }

  ObjectNode row(ObjectNode object, Instant now) {
    return row(object, now, rows);
  }

  private ObjectNode row(ObjectNode object, Instant now, TableRows with) {
    ObjectNode row = Json.object();
    ArrayNode cells = row.putArray("cells");
    with.cells(object, now).forEach(cells::add);
    List<ObjectNode> conditions = resource.rowConditions(object);
    if (!conditions.isEmpty()) {
      conditions.forEach(row.putArray("conditions")::add);
    }
    attach(row, object);
    return row;
  }

  private void attach(ObjectNode row, ObjectNode object) {
    switch (include) {
      case NONE -> row.putNull("object");
      case METADATA -> row.set("object", partial(object, apiVersion));
      case OBJECT -> row.set("object", object);
    }
  }

  private JsonNode columns() {
    ArrayNode out = Json.array();
    for (Column column : resource.columns()) {
      out.addObject()
          .put("name", column.name())
          .put("type", column.type())
          .put("format", column.format())
          .put("description", column.description())
          .put("priority", column.priority());
    }
    return out;
  }

  /// The object reduced to its metadata.
  static ObjectNode partial(ObjectNode object, String apiVersion) {
    ObjectNode out = Json.object();
    out.put("kind", "PartialObjectMetadata").put("apiVersion", apiVersion);
    out.set("metadata", object.path("metadata"));
    return out;
  }
}
