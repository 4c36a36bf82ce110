package io.fairlead.insight.history;

import io.fairlead.api.json.Json;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.history.HistoryChange.NodeTime;
import io.fairlead.insight.history.HistoryChange.SliceWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Joins what components recorded into lines.
///
/// How it works: a slice that was written has a version; the first rules of a node that show this
/// version or a newer one are when that node followed. So no component writes anything for it.
public final class HistoryJoin {
  private final HistoryEvidence evidence;

  private HistoryJoin(HistoryEvidence evidence) {
    this.evidence = evidence;
  }

  /// The oldest first.
  public static List<HistoryChange> of(HistoryEvidence evidence) {
    return new HistoryJoin(evidence).changes();
  }

  private List<HistoryChange> changes() {
    List<HistoryChange> all = new ArrayList<>();
    for (JsonNode entry : evidence.recorded()) {
      switch (Json.textOr(entry, "", "kind")) {
        case "endpoint" -> endpoint(entry).ifPresent(all::add);
        case "spec" -> spec(entry).ifPresent(all::add);
        default -> {}
      }
    }
    for (NodeRecords node : evidence.nodes()) {
      node.entries().forEach(entry -> ofNode(node, entry).ifPresent(all::add));
    }
    evidence.events().forEach(event -> event(event).ifPresent(all::add));
    return all.stream()
        .filter(each -> !each.at().isBefore(evidence.since()))
        .sorted(Comparator.comparing(HistoryChange::at))
        .toList();
  }

  private Optional<HistoryChange> endpoint(JsonNode entry) {
    EndpointChanges pods = EndpointChanges.of(entry);
    if (!concerns(Json.textOr(entry, "", "namespace"), Json.textOr(entry, "", "service"))
        || pods.isEmpty()) {
      return Optional.empty();
    }
    Instant written = at(entry, "at");
    Instant cause =
        entry.path("trigger").isString() ? earlier(at(entry, "trigger"), written) : written;
    String version = Json.textOr(entry, "", "resourceVersion");
    String family = Json.textOr(entry, "", "addressType");
    CauseFinder.Cause why = CauseFinder.of(evidence.recorded(), entry, pods, written);
    return Optional.of(
        new HistoryChange(
            cause,
            "endpoint",
            name(entry),
            pods.what(),
            why.sentence(),
            why.user(),
            Optional.of(
                new SliceWrite(
                    Json.textOr(entry, "", "slice"), version, Duration.between(cause, written))),
            nodes("slicesVersion", version, family, cause, written)));
  }

  private Optional<HistoryChange> spec(JsonNode entry) {
    String service = Json.textOr(entry, "", "service");
    if (service.isEmpty() || !concerns(Json.textOr(entry, "", "namespace"), service)) {
      return Optional.empty();
    }
    Instant at = at(entry, "at");
    String version = Json.textOr(entry, "", "resourceVersion");
    String verb = Json.textOr(entry, "update", "verb");
    String user = Json.textOr(entry, "", "user");
    return Optional.of(
        new HistoryChange(
            at,
            "spec",
            name(entry),
            new Sentence("history.what.spec." + verb, Map.of("fields", CauseFinder.fields(entry))),
            Sentence.of("history.why.user", "user", user),
            user,
            Optional.empty(),
            version.isEmpty()
                ? evidence.asked().stream()
                    .map(node -> NodeTime.without(node, NodeTime.State.NONE))
                    .toList()
                : nodes("servicesVersion", version, "", at, at)));
  }

  private List<NodeTime> nodes(
      String field, String version, String family, Instant cause, Instant written) {
    List<NodeTime> times = new ArrayList<>();
    for (String name : evidence.asked()) {
      times.add(
          evidence.nodes().stream()
              .filter(node -> node.node().equals(name))
              .findFirst()
              .map(node -> time(node, field, version, family, cause, written))
              .orElseGet(() -> NodeTime.without(name, NodeTime.State.UNKNOWN)));
    }
    return times;
  }

  private NodeTime time(
      NodeRecords node,
      String field,
      String version,
      String family,
      Instant cause,
      Instant written) {
    if (!node.covers(written)) {
      return NodeTime.without(node.node(), NodeTime.State.UNKNOWN);
    }
    Optional<JsonNode> applied = node.applied(field, version, family);
    if (applied.isPresent()) {
      Instant at = node.at(applied.get(), "at");
      Duration after = Duration.between(cause, at);
      return new NodeTime(
          node.node(),
          NodeTime.State.APPLIED,
          Optional.of(after.isNegative() ? Duration.ZERO : after),
          applied.get().path("received").isString()
              ? Optional.of(node.at(applied.get(), "received"))
              : Optional.empty(),
          Optional.of(at));
    }
    String shown = evidence.written().getOrDefault(node.node(), "");
    boolean reached = !shown.isEmpty() && ResourceVersions.compare(shown, version) >= 0;
    return NodeTime.without(node.node(), reached ? NodeTime.State.NONE : NodeTime.State.NOT_YET);
  }

  private Optional<HistoryChange> ofNode(NodeRecords node, JsonNode entry) {
    Optional<Sentence[]> words =
        switch (Json.textOr(entry, "", "kind")) {
          case "drift" -> Optional.of(drift(node, entry));
          case "mode" ->
              Optional.of(
                  new Sentence[] {
                    new Sentence(
                        "history.what.mode",
                        Map.of(
                            "node",
                            node.node(),
                            "from",
                            Json.textOr(entry, "", "from"),
                            "to",
                            Json.textOr(entry, "", "to"))),
                    Sentence.of("history.why.unknown")
                  });
          case "start" ->
              Optional.of(
                  new Sentence[] {
                    Sentence.of(
                        "history.what.start",
                        "node",
                        node.node(),
                        "mode",
                        Json.textOr(entry, "", "mode")),
                    Sentence.of("history.why.unknown")
                  });
          default -> Optional.empty();
        };
    return words.map(
        both ->
            new HistoryChange(
                node.at(entry, "at"),
                Json.textOr(entry, "", "kind"),
                "",
                both[0],
                both[1],
                "",
                Optional.empty(),
                evidence.asked().stream()
                    .map(name -> NodeTime.without(name, NodeTime.State.NONE))
                    .toList()));
  }

  private static Sentence[] drift(NodeRecords node, JsonNode entry) {
    String process = Json.textOr(entry, "", "process");
    Sentence what =
        process.isEmpty()
            ? Sentence.of("history.what.drift.nobody", "node", node.node())
            : new Sentence(
                "history.what.drift",
                Map.of(
                    "node",
                    node.node(),
                    "process",
                    process,
                    "pid",
                    entry.path("pid").asString("?")));
    return new Sentence[] {
      what,
      Sentence.of("history.why.repaired", "millis", entry.path("repairedMillis").asString("0"))
    };
  }

  private Optional<HistoryChange> event(JsonNode event) {
    String time =
        Json.textOr(
            event, Json.textOr(event, "", "metadata", "creationTimestamp"), "lastTimestamp");
    return time.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new HistoryChange(
                Instant.parse(time),
                "event",
                "",
                Sentence.of(
                    "history.what.event",
                    "reason",
                    Json.textOr(event, "", "reason"),
                    "name",
                    Json.textOr(event, "", "involvedObject", "name")),
                Sentence.of("history.why.event", "message", Json.textOr(event, "", "message")),
                "",
                Optional.empty(),
                List.of()));
  }

  private boolean concerns(String namespace, String service) {
    return (evidence.namespace().isEmpty() || evidence.namespace().equals(namespace))
        && (evidence.service().isEmpty() || evidence.service().equals(service));
  }

  private static String name(JsonNode entry) {
    return Json.textOr(entry, "", "namespace") + "/" + Json.textOr(entry, "", "service");
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  static Instant at(JsonNode entry, String field) {
    return Instant.parse(Json.textOr(entry, Instant.EPOCH.toString(), field));
  }
}
