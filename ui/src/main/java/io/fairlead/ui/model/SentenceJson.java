package io.fairlead.ui.model;

import io.fairlead.api.json.Json;
import io.fairlead.insight.explain.Explanation;
import io.fairlead.insight.explain.Row;
import io.fairlead.insight.explain.RowItem;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Sentence;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers as the page takes them: sentences by key and values, which the browser puts into words.
public final class SentenceJson {
  private SentenceJson() {}

  public static ObjectNode of(Sentence sentence) {
    ObjectNode node = Json.object().put("key", sentence.key());
    ObjectNode values = node.putObject("values");
    sentence.values().forEach(values::put);
    return node;
  }

  /// A finding, with its next step under a key of its own.
  public static ObjectNode of(Finding finding) {
    ObjectNode node = of(finding.sentence());
    node.put("code", finding.code().name())
        .put("severity", finding.severity().toString())
        .put("kind", finding.subject().kind().toString())
        .put("subject", finding.subject().name())
        .put("source", finding.source().toString());
    return node;
  }

  /// A whole answer to "why".
  public static ObjectNode of(Explanation explanation) {
    ObjectNode node = Json.object().put("verdict", explanation.verdict().toString());
    Optional<Finding> first = explanation.first();
    if (first.isPresent()) {
      node.set("first", of(first.get()));
    } else {
      node.putNull("first");
    }
    explanation
        .why()
        .ifPresent(why -> node.set("why", of(new Sentence("why." + why.name(), why.values()))));
    node.set("summary", explanation.summary());
    ArrayNode rows = node.putArray("rows");
    explanation.rows().forEach(row -> rows.add(row(row)));
    return node;
  }

  private static ObjectNode row(Row row) {
    ObjectNode node = of(row.message());
    node.put("name", row.name()).put("state", row.shownState().toString());
    node.put("source", row.source().map(Object::toString).orElse(""));
    node.put("code", row.code().map(Object::toString).orElse(""));
    ArrayNode items = node.putArray("items");
    for (RowItem item : row.items()) {
      ObjectNode one = of(item.text());
      one.put("mark", item.mark().toString())
          .put("pod", item.pod())
          .put("place", item.place())
          .put("node", item.node())
          .put("code", item.code().map(Object::toString).orElse(""));
      items.add(one);
    }
    ArrayNode prose = node.putArray("findings");
    row.prose().forEach(finding -> prose.add(of(finding)));
    return node;
  }
}
