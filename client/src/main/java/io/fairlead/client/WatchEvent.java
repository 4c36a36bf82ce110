package io.fairlead.client;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.Status;
import tools.jackson.databind.node.ObjectNode;

/// One line of a watch.
public sealed interface WatchEvent {
  /// The object is new to this watch or has changed.
  record Changed(ObjectNode object) implements WatchEvent {}

  /// The object is gone; what it was last.
  record Removed(ObjectNode object) implements WatchEvent {}

  /// Nothing more up to this version.
  ///
  /// @param initialEventsEnd the present state has been sent completely
  record Bookmark(String resourceVersion, boolean initialEventsEnd) implements WatchEvent {}

  /// The server cannot go on.
  record Failed(Status status) implements WatchEvent {}

  /// Reads a line. Objects of a table or a list of metadata need no difference here.
  static WatchEvent parse(ObjectNode line) {
    String type = Json.textOr(line, "", "type");
    if (!(line.get("object") instanceof ObjectNode object)) {
      return new Failed(Status.of(500, "InternalError", "a watch event without an object"));
    }
    return switch (type) {
      case "ADDED", "MODIFIED" -> new Changed(object);
      case "DELETED" -> new Removed(object);
      case "BOOKMARK" ->
          new Bookmark(
              Json.textOr(object, "", "metadata", "resourceVersion"),
              "true"
                  .equals(
                      Json.text(object, "metadata", "annotations", "k8s.io/initial-events-end")));
      case "ERROR" -> new Failed(Statuses.read(object));
      default -> new Failed(Status.of(500, "InternalError", "unknown watch event type " + type));
    };
  }
}
