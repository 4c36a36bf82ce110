package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Proof;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.finding.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// An explanation as programs read it: the document `Explanation`, in English.
public final class ExplanationDocument {
  private static final SentenceCatalog ENGLISH = SentenceCatalog.english();
  private static final int MOST_ITEMS = 1000;

  private ExplanationDocument() {}

  /// @param tookMillis how long it took to find out
  public static ObjectNode of(Explanation explanation, Instant at, long tookMillis) {
    ObjectNode document =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "Explanation");
    document.set("subject", subject(explanation.subject()));
    document.put("verdict", explanation.verdict().toString());
    Optional<Finding> first = explanation.first();
    put(document, "code", first.map(Finding::code));
    document.put("message", VerdictLine.of(explanation, ENGLISH));
    ArrayNode next = document.putArray("next");
    first
        .map(finding -> ENGLISH.text(finding.next()))
        .filter(text -> !text.isEmpty())
        .ifPresent(next::add);
    document.set("summary", explanation.summary());
    ArrayNode rows = document.putArray("rows");
    explanation.rows().forEach(row -> rows.add(row(row)));
    ArrayNode findings = document.putArray("findings");
    explanation.findings().stream()
        .limit(MOST_ITEMS)
        .forEach(finding -> findings.add(finding(finding, at)));
    ObjectNode took = document.putObject("took").put("totalMillis", tookMillis);
    unseen(explanation.unseen(), took.putArray("unseen"));
    return document;
  }

  /// What could not be seen, as all documents have it.
  public static void unseen(List<Explanation.Unknown> unknowns, ArrayNode out) {
    unknowns.forEach(
        one -> {
          ObjectNode each = out.addObject().put("what", one.what());
          putText(each, "node", one.node());
          each.put("why", one.why().name());
        });
  }

  private static ObjectNode subject(Subject subject) {
    ObjectNode node = Json.object().put("kind", subject.kind().toString());
    putText(node, "namespace", subject.namespace());
    return node.put("name", subject.name());
  }

  private static ObjectNode row(Row row) {
    ObjectNode node =
        Json.object()
            .put("name", row.name())
            .put("state", row.shownState().toString())
            .put("message", ENGLISH.text(row.message()));
    if (row.source().isPresent()) {
      node.put("source", row.source().get().toString());
    } else {
      node.putNull("source");
    }
    String why = row.message().values().get("why");
    putText(node, "why", row.shownState() == RowState.UNKNOWN && why != null ? why : "");
    put(node, "code", row.code());
    ArrayNode items = node.putArray("items");
    row.items().stream().limit(MOST_ITEMS).forEach(item -> items.add(item(item)));
    return node;
  }

  private static ObjectNode item(RowItem item) {
    ObjectNode node = Json.object();
    putText(node, "pod", item.pod());
    putText(node, "address", item.address());
    if (item.port() > 0) {
      node.put("port", item.port());
    } else {
      node.putNull("port");
    }
    putText(node, "node", item.node());
    node.put("state", item.state());
    put(node, "code", item.code());
    values(node, item.text());
    return node.put("message", ENGLISH.text(item.text()));
  }

  /// A finding as all documents have it.
  public static ObjectNode finding(Finding finding, Instant at) {
    ObjectNode node =
        Json.object()
            .put("code", finding.code().name())
            .put("severity", finding.severity().toString());
    node.set("subject", subject(finding.subject()));
    values(node, finding.sentence());
    node.put("message", ENGLISH.text(finding.sentence()));
    putText(node, "next", ENGLISH.text(finding.next()));
    ArrayNode evidence = node.putArray("evidence");
    List<Proof> proofs = finding.evidence();
    proofs.forEach(
        proof -> {
          ObjectNode each = evidence.addObject().put("source", proof.source().toString());
          putText(each, "node", proof.node());
          each.put("at", at.toString());
          putText(each, "text", proof.text());
        });
    return node;
  }

  private static void values(ObjectNode node, Sentence sentence) {
    ObjectNode values = node.putObject("values");
    sentence.values().forEach(values::put);
  }

  private static void put(ObjectNode node, String name, Optional<FindingCode> code) {
    if (code.isPresent()) {
      node.put(name, code.get().name());
    } else {
      node.putNull(name);
    }
  }

  /// What is not known is null, never empty.
  private static void putText(ObjectNode node, String name, String text) {
    if (text.isEmpty()) {
      node.putNull(name);
    } else {
      node.put(name, text);
    }
  }
}
