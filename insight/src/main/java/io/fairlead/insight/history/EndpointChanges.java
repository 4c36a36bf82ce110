package io.fairlead.insight.history;

import io.fairlead.api.json.Json;
import io.fairlead.insight.finding.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Which pods began or ceased to get new connections with one write of a slice. A pod that is not
/// ready comes and goes without anybody noticing.
///
/// @param added pods that are ready now and were not
/// @param removed pods that were ready and are not now
record EndpointChanges(List<JsonNode> added, List<JsonNode> removed) {
  private static final int NAMED = 2;
  private static final int SUFFIX = 5;

  EndpointChanges {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
  }

  static EndpointChanges of(JsonNode entry) {
    List<JsonNode> added = new ArrayList<>();
    List<JsonNode> removed = new ArrayList<>();
    for (JsonNode pod : entry.path("pods")) {
      boolean was = Json.textOr(pod, "", "from").equals("ready");
      boolean is = Json.textOr(pod, "", "to").equals("ready");
      if (is && !was) {
        added.add(pod);
      } else if (was && !is) {
        removed.add(pod);
      }
    }
    return new EndpointChanges(added, removed);
  }

  boolean isEmpty() {
    return added.isEmpty() && removed.isEmpty();
  }

  /// `+1 endpoint 10.244.3.9 (…r7c4m)`.
  Sentence what() {
    if (added.isEmpty() || removed.isEmpty()) {
      List<JsonNode> pods = added.isEmpty() ? removed : added;
      return new Sentence(
          pods.size() == 1 ? "history.what.endpoint" : "history.what.endpoints",
          Map.of("count", (added.isEmpty() ? "−" : "+") + pods.size(), "pods", shown(pods)));
    }
    return new Sentence(
        "history.what.exchange",
        Map.of("added", "+" + added.size(), "removed", "−" + removed.size(), "pods", shown(added)));
  }

  private static String shown(List<JsonNode> pods) {
    StringBuilder text = new StringBuilder();
    for (JsonNode pod : pods.subList(0, Math.min(NAMED, pods.size()))) {
      String name = Json.textOr(pod, "", "pod");
      text.append(text.isEmpty() ? "" : ", ")
          .append(Json.textOr(pod, "", "address"))
          .append(name.isEmpty() ? "" : " (" + ending(name) + ")");
    }
    return text + (pods.size() > NAMED ? " …" : "");
  }

  /// Pods of one owner differ in the last letters.
  private static String ending(String name) {
    int dash = name.lastIndexOf('-');
    return dash > 0 && name.length() - dash - 1 <= SUFFIX && name.length() > 2 * SUFFIX
        ? "…" + name.substring(dash + 1)
        : name;
  }
}
