package io.fairlead.server.resources.cluster;

import io.fairlead.server.resource.Column;
import io.fairlead.server.resources.table.Age;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The table of events. The cells are computed from the stored shape, that of core events.
final class EventTable {
  static final List<Column> COLUMNS =
      List.of(
          Column.text("Last Seen", "When it happened last."),
          Column.text("Type", "Whether it is normal or a warning."),
          Column.text("Reason", "What happened, in a word."),
          Column.text("Object", "What it happened to."),
          Column.text("Subobject", "The part of the object.").wide(),
          Column.text("Source", "Who reported it.").wide(),
          Column.text("Message", "What happened."),
          Column.text("First Seen", "When it happened first.").wide(),
          Column.text("Count", "How often it happened.").wide(),
          Column.name("The name of the event.").wide());

  private EventTable() {}

  static List<JsonNode> cells(ObjectNode event, Instant now) {
    String first = Age.since(event.path("firstTimestamp"), now);
    if (!event.path("firstTimestamp").isString()) {
      first = Age.since(event.path("eventTime"), now);
    }
    String last =
        event.path("lastTimestamp").isString()
            ? Age.since(event.path("lastTimestamp"), now)
            : first;
    long count = Math.max(1, event.path("count").asLong(0));
    JsonNode series = event.path("series");
    if (series.isObject()) {
      last = Age.since(series.path("lastObservedTime"), now);
      count = series.path("count").asLong(0);
    }
    JsonNode object = event.path("involvedObject");
    return List.of(
        Cells.text(last),
        Cells.text(event.path("type").asString("")),
        Cells.text(event.path("reason").asString("")),
        Cells.text(target(object)),
        Cells.text(object.path("fieldPath").asString("")),
        Cells.text(source(event)),
        Cells.text(event.path("message").asString("").strip()),
        Cells.text(first),
        Cells.number(count),
        Cells.name(event));
  }

  private static String target(JsonNode object) {
    String kind = object.path("kind").asString("").toLowerCase(Locale.ROOT);
    String name = object.path("name").asString("");
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  private static String source(ObjectNode event) {
    String component = event.at("/source/component").asString("");
    String host = event.at("/source/host").asString("");
    if (component.isEmpty()) {
      component = event.path("reportingComponent").asString("");
      host = event.path("reportingInstance").asString("");
    }
    return host.isEmpty() ? component : component + ", " + host;
  }
}
