package io.fairlead.insight.evidence;

import io.fairlead.api.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// What the proxy of a node says of itself: the document `NodeAbout` of the node API.
///
/// @param mode how it carries traffic; empty when it does not say
/// @param writtenServices the newest version of a Service in its rules; empty when it does not say
/// @param writtenSlices the newest version of slices in its rules, by address type
/// @param lastSyncMillis how long the last change of rules took
public record AboutReport(
    String mode,
    String writtenServices,
    Map<String, String> writtenSlices,
    Optional<Long> lastSyncMillis) {
  public AboutReport {
    writtenSlices = Map.copyOf(writtenSlices);
  }

  public static AboutReport of(JsonNode document) {
    Map<String, String> written = new TreeMap<>();
    Json.at(document, "written", "slices")
        .properties()
        .forEach(one -> written.put(one.getKey(), one.getValue().asString("")));
    JsonNode took = Json.at(document, "lastSync", "tookMillis");
    return new AboutReport(
        Json.textOr(document, "", "mode"),
        Json.textOr(document, "", "written", "services"),
        written,
        took.isNumber() ? Optional.of(took.asLong()) : Optional.empty());
  }
}
