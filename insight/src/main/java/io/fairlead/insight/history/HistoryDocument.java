package io.fairlead.insight.history;

import io.fairlead.api.json.Json;
import io.fairlead.insight.explain.ExplanationDocument;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.SentenceCatalog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The document `History` of some changes. What is not known is null.
public final class HistoryDocument {
  private static final SentenceCatalog ENGLISH = SentenceCatalog.english();

  private HistoryDocument() {}

  /// @param findings about the records themselves, such as clocks that are off
  public static ObjectNode of(
      List<HistoryChange> changes, HistoryEvidence evidence, List<Finding> findings, Instant at) {
    ObjectNode document =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "History");
    document.put("apiAlone", evidence.isApiAlone());
    ArrayNode list = document.putArray("changes");
    changes.forEach(change -> change(list.addObject(), change));
    ArrayNode lost = document.putArray("lost");
    evidence.nodes().stream()
        .filter(node -> node.lost() > 0)
        .forEach(node -> lost.addObject().put("node", node.node()).put("count", node.lost()));
    ArrayNode found = document.putArray("findings");
    findings.forEach(each -> found.add(ExplanationDocument.finding(each, at)));
    return document;
  }

  private static void change(ObjectNode out, HistoryChange change) {
    out.put("at", change.at().toString())
        .put("kind", change.kind())
        .put("what", ENGLISH.text(change.what()));
    ObjectNode why = out.putObject("why").put("kind", change.why().key());
    text(why, "user", change.user());
    why.put("message", ENGLISH.text(change.why()));
    ObjectNode values = why.putObject("values");
    change.why().values().forEach(values::put);
    text(out, "service", change.service());
    change
        .slice()
        .ifPresentOrElse(
            slice ->
                out.putObject("slice")
                    .put("name", slice.name())
                    .put("resourceVersion", slice.resourceVersion())
                    .put("millis", slice.after().toMillis()),
            () -> out.putNull("slice"));
    ArrayNode nodes = out.putArray("nodes");
    for (HistoryChange.NodeTime node : change.nodes()) {
      ObjectNode one = nodes.addObject().put("node", node.node());
      Optional<Long> millis = node.after().map(Duration::toMillis);
      millis.ifPresentOrElse(each -> one.put("millis", each), () -> one.putNull("millis"));
      one.put("state", node.state().toString());
      text(one, "received", node.received().map(Instant::toString).orElse(""));
      text(one, "applied", node.applied().map(Instant::toString).orElse(""));
    }
  }

  private static void text(ObjectNode out, String name, String value) {
    if (value.isEmpty()) {
      out.putNull(name);
    } else {
      out.put(name, value);
    }
  }
}
