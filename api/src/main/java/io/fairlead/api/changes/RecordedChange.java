package io.fairlead.api.changes;

import io.fairlead.api.json.Json;
import java.time.Instant;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// One change that a component made or noticed.
///
/// @param kind `spec`, `endpoint`, `rules`, `drift`, `start`…
/// @param at when it happened, by the clock of the component's machine
/// @param details writes the rest; called when the change is read, so it holds only what does not
///   change any more
public record RecordedChange(String kind, Instant at, Consumer<ObjectNode> details) {
  /// As it was written to a file by an earlier process.
  public static RecordedChange of(ObjectNode stored) {
    String at = Json.textOr(stored, "", "at");
    return new RecordedChange(
        Json.textOr(stored, "", "kind"),
        at.isEmpty() ? Instant.EPOCH : Instant.parse(at),
        out -> stored.properties().forEach(each -> out.set(each.getKey(), each.getValue())));
  }

  /// `{kind, at, …}`.
  public ObjectNode toJson() {
    ObjectNode document = Json.object().put("kind", kind).put("at", at.toString());
    details.accept(document);
    return document;
  }
}
