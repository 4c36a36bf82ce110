package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.insight.evidence.AboutReport;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.history.HistoryEvidence;
import io.fairlead.insight.history.NodeRecords;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gathers recorded changes of the control plane and of nodes, all at once; where there are none,
/// the events of the API.
public final class HistoryGathering {
  private static final int MANY = 5000;

  /// As many as a node hands out at once, and how often it is asked for more.
  private static final int PAGE = 1000;

  private static final int MOST_PAGES = 5;

  private final Sources sources;
  private final InstantSource clock;
  private final Duration limit;

  public HistoryGathering(Sources sources, InstantSource clock, Duration limit) {
    this.sources = sources;
    this.clock = clock;
    this.limit = limit;
  }

  /// What is asked for.
  ///
  /// @param namespace empty for all
  /// @param service empty for all
  /// @param nodes whose records to read
  public record Wanted(Instant since, String namespace, String service, List<String> nodes) {
    public Wanted {
      nodes = List.copyOf(nodes);
    }
  }

  public HistoryEvidence gather(Wanted wanted) {
    try (Questions questions = new Questions(Ticker.system(), limit)) {
      var control = questions.ask(() -> sources.controlPlane("changes"));
      Map<String, Questions.Pending<NodeRecords>> records = new LinkedHashMap<>();
      Map<String, Questions.Pending<AboutReport>> abouts = new LinkedHashMap<>();
      for (String node : wanted.nodes()) {
        records.put(node, questions.ask(() -> records(node)));
        abouts.put(node, questions.ask(() -> sources.node(node, "about").map(AboutReport::of)));
      }
      List<JsonNode> recorded = new ArrayList<>();
      control
          .await()
          .value()
          .ifPresent(
              document ->
                  document
                      .path("recorders")
                      .forEach(part -> part.path("entries").forEach(recorded::add)));
      List<NodeRecords> nodes = new ArrayList<>();
      records.values().forEach(pending -> pending.await().value().ifPresent(nodes::add));
      Map<String, String> written = new HashMap<>();
      abouts.forEach(
          (node, pending) ->
              pending.await().value().ifPresent(about -> written.put(node, newest(about))));
      boolean alone = recorded.isEmpty() && nodes.isEmpty();
      return new HistoryEvidence(
          wanted.since(),
          wanted.namespace(),
          wanted.service(),
          recorded,
          nodes,
          wanted.nodes(),
          written,
          alone ? events(wanted) : List.of());
    }
  }

  private static String newest(AboutReport about) {
    return about.writtenSlices().values().stream()
        .reduce(
            "",
            (one, other) ->
                one.isEmpty() || ResourceVersions.compare(one, other) < 0 ? other : one);
  }

  /// All pages of a node as one.
  private Evidence<NodeRecords> records(String node) {
    Instant sent = clock.instant();
    Evidence<ObjectNode> first = sources.node(node, "changes?since=0&limit=" + PAGE);
    Instant received = clock.instant();
    first
        .value()
        .ifPresent(
            document -> {
              ArrayNode entries = document.withArray("entries");
              int got = entries.size();
              for (int page = 1; got == PAGE && page < MOST_PAGES; page++) {
                long last = entries.path(entries.size() - 1).path("seq").asLong();
                got = 0;
                for (JsonNode more :
                    sources
                        .node(node, "changes?since=" + last + "&limit=" + PAGE)
                        .value()
                        .<JsonNode>map(next -> next.path("entries"))
                        .orElseGet(Json::array)) {
                  entries.add(more);
                  got++;
                }
              }
            });
    return first.map(document -> NodeRecords.of(node, document, sent, received));
  }

  /// Those of the Service, its slices and its pods.
  private List<JsonNode> events(Wanted wanted) {
    return sources
        .list(ResourceType.EVENTS, wanted.namespace(), ListOptions.ALL, MANY, one -> one)
        .value()
        .orElse(List.of())
        .stream()
        .filter(
            event -> {
              String name = Json.textOr(event, "", "involvedObject", "name");
              return wanted.service().isEmpty()
                  || name.equals(wanted.service())
                  || name.startsWith(wanted.service() + "-");
            })
        .map(event -> (JsonNode) event)
        .toList();
  }
}
