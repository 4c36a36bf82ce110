package io.fairlead.insight.history;

import io.fairlead.api.json.Json;
import io.fairlead.client.informer.ResourceVersions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What the proxy of one node recorded, with times as the reader's clock has them.
///
/// @param offset how far the node's clock is ahead of the reader's
/// @param entries the oldest first
/// @param lost how many older ones are gone
public record NodeRecords(String node, Duration offset, List<JsonNode> entries, long lost) {
  /// Offsets below this are within what a question takes.
  private static final Duration WORTH_CORRECTING = Duration.ofMillis(50);

  public NodeRecords {
    entries = List.copyOf(entries);
  }

  /// @param document `NodeChanges`
  /// @param sent when the question left, and when the answer came, by the reader's clock
  public static NodeRecords of(String node, JsonNode document, Instant sent, Instant received) {
    List<JsonNode> entries = new ArrayList<>();
    document.path("entries").forEach(entries::add);
    return new NodeRecords(
        node,
        offset(document.path("now"), sent, received),
        entries,
        document.path("lost").asLong(0));
  }

  private static Duration offset(JsonNode now, Instant sent, Instant received) {
    if (!now.isNumber()) {
      return Duration.ZERO;
    }
    Instant middle = sent.plus(Duration.between(sent, received).dividedBy(2));
    Instant theirs = Instant.EPOCH.plusNanos(now.asLong());
    return Duration.between(middle, theirs);
  }

  /// When an entry happened.
  Instant at(JsonNode entry, String field) {
    Instant theirs = Instant.parse(Json.textOr(entry, Instant.EPOCH.toString(), field));
    return offset.abs().compareTo(WORTH_CORRECTING) > 0 ? theirs.minus(offset) : theirs;
  }

  /// The entry that first showed a version.
  ///
  /// @param field `slicesVersion` or `servicesVersion`
  /// @param family empty for any
  Optional<JsonNode> applied(String field, String version, String family) {
    return entries.stream()
        .filter(entry -> Json.textOr(entry, "", "kind").equals("rules"))
        .filter(entry -> family.isEmpty() || Json.textOr(entry, "", "family").equals(family))
        .filter(
            entry -> {
              String shown = Json.textOr(entry, "", field);
              return !shown.isEmpty() && ResourceVersions.compare(shown, version) >= 0;
            })
        .findFirst();
  }

  /// Whether what happened at a time would be in here: the process ran, and nothing was lost since.
  boolean covers(Instant time) {
    return !entries.isEmpty() && !at(entries.getFirst(), "at").isAfter(time);
  }
}
