package io.fairlead.insight.history;

import io.fairlead.api.json.Json;
import io.fairlead.insight.finding.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// Says why endpoints changed: the change of the Service just before, else the one who scaled the
/// owner of the pods, else what the controllers noted about a pod.
final class CauseFinder {
  /// Slices follow a changed Service within this time, unless the controllers are in trouble.
  private static final Duration SPEC = Duration.ofSeconds(10);

  /// Pods take a while to start.
  private static final Duration SCALE = Duration.ofMinutes(2);

  private CauseFinder() {}

  /// @param user empty when no user is known to have caused it
  record Cause(Sentence sentence, String user) {}

  static Cause of(List<JsonNode> recorded, JsonNode entry, EndpointChanges pods, Instant written) {
    // What a pod did after the Service was changed is not the Service's doing.
    Instant changed =
        entry.path("trigger").isString() ? HistoryJoin.at(entry, "trigger") : Instant.EPOCH;
    JsonNode spec = null;
    JsonNode scale = null;
    for (JsonNode other : recorded) {
      if (!Json.textOr(other, "", "kind").equals("spec")
          || !Json.textOr(other, "", "namespace").equals(Json.textOr(entry, "", "namespace"))) {
        continue;
      }
      Instant at = HistoryJoin.at(other, "at");
      if (at.isAfter(written)) {
        continue;
      }
      boolean own = Json.textOr(other, "", "service").equals(Json.textOr(entry, "", "service"));
      if (own && !at.plus(SPEC).isBefore(written) && !changed.isAfter(at)) {
        spec = other;
      } else if (isScale(other, pods) && !at.plus(SCALE).isBefore(written)) {
        scale = other;
      }
    }
    if (spec != null) {
      boolean made = Json.textOr(spec, "", "verb").equals("create");
      return new Cause(
          new Sentence(
              made ? "history.why.made" : "history.why.spec",
              Map.of("fields", fields(spec), "user", Json.textOr(spec, "", "user"))),
          Json.textOr(spec, "", "user"));
    }
    if (scale != null) {
      JsonNode replicas = scale.path("fields").path(0);
      return new Cause(
          new Sentence(
              "history.why.scaled",
              Map.of(
                  "from",
                  Json.textOr(replicas, "", "from"),
                  "to",
                  Json.textOr(replicas, "", "to"),
                  "user",
                  Json.textOr(scale, "", "user"))),
          Json.textOr(scale, "", "user"));
    }
    return new Cause(ofPod(pods), "");
  }

  /// Whether a change of replicas goes in the direction of what happened to these pods.
  private static boolean isScale(JsonNode spec, EndpointChanges pods) {
    JsonNode field = spec.path("fields").path(0);
    if (!Json.textOr(field, "", "field").equals("replicas")) {
      return false;
    }
    String name = Json.textOr(spec, "", "name") + "-";
    int from = number(Json.textOr(field, "", "from"));
    int to = number(Json.textOr(field, "", "to"));
    List<JsonNode> moved = to > from ? pods.added() : pods.removed();
    return moved.stream().anyMatch(pod -> Json.textOr(pod, "", "pod").startsWith(name));
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
  }

  private static Sentence ofPod(EndpointChanges pods) {
    for (JsonNode pod : pods.removed()) {
      JsonNode reason = pod.path("reasons").path(0);
      String code = Json.textOr(reason, "", "code");
      if (!code.isEmpty()) {
        Map<String, String> values = new TreeMap<>();
        values.put("detail", Json.textOr(reason.path("holdups").path(0), "", "detail"));
        values.put("node", Json.textOr(reason, "", "node"));
        values.put("phase", Json.textOr(reason, "", "phase"));
        values.put("code", code);
        String key =
            switch (code) {
              case "Terminating", "Finished", "NodeLost" -> "history.why." + code;
              case "NotReady" ->
                  values.getOrDefault("detail", "").isEmpty()
                      ? "history.why.NotReady"
                      : "history.why.NotReady.detail";
              default -> "history.why.reason";
            };
        return new Sentence(key, values);
      }
      if (Json.textOr(pod, "", "to").equals("absent")) {
        return Sentence.of("history.why.gone");
      }
    }
    return pods.added().isEmpty()
        ? Sentence.of("history.why.unknown")
        : Sentence.of("history.why.ready");
  }

  /// `selector app=a → app=b, type ClusterIP → NodePort`.
  static String fields(JsonNode spec) {
    List<String> all = new ArrayList<>();
    for (JsonNode each : spec.path("fields")) {
      String from = Json.textOr(each, "", "from");
      String to = Json.textOr(each, "", "to");
      all.add(
          Json.textOr(each, "", "field")
              + (Json.textOr(spec, "", "verb").equals("update")
                  ? " " + (from.isEmpty() ? "–" : from) + " → " + (to.isEmpty() ? "–" : to)
                  : ""));
    }
    return String.join(", ", all);
  }
}
