package io.fairlead.client;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.Status;
import io.fairlead.client.transport.ApiResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// One line of a watch.
public sealed interface WatchStreamEvent {
  /// The object is new to this watch or has changed.
  record Changed(RawObject body) implements WatchStreamEvent {
    public ObjectNode object() {
      return body.tree();
    }
  }

  /// The object is gone; what it was last.
  record Removed(ObjectNode object) implements WatchStreamEvent {}

  /// Nothing more up to this version.
  ///
  /// @param initialEventsEnd the present state has been sent completely
  record Bookmark(String resourceVersion, boolean initialEventsEnd) implements WatchStreamEvent {}

  /// The server cannot go on.
  record Failed(Status status) implements WatchStreamEvent {}

  /// How almost all lines of all servers begin.
  List<byte[]> CHANGED =
      List.of(
          "{\"type\":\"ADDED\",\"object\":{".getBytes(StandardCharsets.US_ASCII),
          "{\"type\":\"MODIFIED\",\"object\":{".getBytes(StandardCharsets.US_ASCII));

  /// Reads a line, whose bytes do not change any more. Objects of a table or a list of metadata
  /// need no difference here.
  static WatchStreamEvent read(byte[] line) {
    for (byte[] begin : CHANGED) {
      if (line.length > begin.length
          && Arrays.equals(line, 0, begin.length, begin, 0, begin.length)) {
        return new Changed(RawObject.within(line, begin.length - 1, line.length - 1));
      }
    }
    return parse(new ApiResponse(200, line).object());
  }

  private static WatchStreamEvent parse(ObjectNode line) {
    String type = Json.textOr(line, "", "type");
    if (!(line.get("object") instanceof ObjectNode object)) {
      return new Failed(Status.of(500, "InternalError", "a watch event without an object"));
    }
    return switch (type) {
      case "ADDED", "MODIFIED" -> new Changed(RawObject.of(object));
      case "DELETED" -> new Removed(object);
      case "BOOKMARK" ->
          new Bookmark(
              Json.textOr(object, "", "metadata", "resourceVersion"),
              "true"
                  .equals(
                      Json.text(object, "metadata", "annotations", "k8s.io/initial-events-end")));
      case "ERROR" -> new Failed(ApiErrors.read(object));
      default -> new Failed(Status.of(500, "InternalError", "unknown watch event type " + type));
    };
  }
}
