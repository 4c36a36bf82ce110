package io.fairlead.insight.explain;

import static io.fairlead.insight.explain.BaseCluster.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.gather.ExplainOptions;
import io.fairlead.insight.gather.ServiceGathering;
import io.fairlead.insight.testing.FakeSources;
import io.fairlead.work.Ticker;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Broken Services, each one change away from a cluster that works: what is found, and what is
/// said.
class ExplainVectorsTest {
  static Stream<ExplainVector> vectors() {
    return Stream.of(
            SelectorVectors.all(), PortVectors.all(), RulesVectors.all(), EvidenceVectors.all())
        .flatMap(each -> each);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void says(ExplainVector vector) {
    FakeSources cluster = BaseCluster.make();
    vector.change().accept(cluster);
    Explanation explanation = explain(cluster, vector.options());
    String text = text(explanation, SentenceCatalog.english());
    assertThat(
            explanation.findings().stream()
                .map(Finding::code)
                .map(FindingCode::name)
                .distinct()
                .sorted())
        .as(text)
        .containsExactlyElementsOf(
            vector.codes().isEmpty() ? List.of() : List.of(vector.codes().split(" ")));
    assertThat(explanation.verdict()).as(text).isEqualTo(vector.verdict());
    assertThat(vector.texts()).allSatisfy(line -> assertThat(text).contains(line));
    assertThat(text).as("no value is left out").doesNotContainPattern("\\{[a-z]+}");
    assertThat(text(explanation, SentenceCatalog.chinese())).doesNotContainPattern("\\{[a-z]+}");
    assertThat(ExplanationDocument.of(explanation, BaseCluster.NOW, 7).path("verdict").asString())
        .isEqualTo(vector.verdict().toString());
  }

  @Test
  void v74ChineseVerdictsHaveEnglishHeaders() {
    FakeSources cluster = BaseCluster.make();
    ObjectNode _ = BaseCluster.unready(cluster, 3);
    String text = text(explain(cluster, ExplainVector.USUAL), SentenceCatalog.chinese());
    assertThat(text).contains("正常，但有警告。", "! Endpoints: ", "FL110");
    assertThat(text.lines().toList().getFirst()).startsWith("Service default/hostnames");
  }

  private static Explanation explain(FakeSources cluster, ExplainOptions options) {
    ServiceEvidence evidence =
        new ServiceGathering(
                cluster, InstantSource.fixed(BaseCluster.NOW), Ticker.system(), options)
            .gather(new ObjectKey("default", "hostnames"));
    ServiceFacts service = evidence.service().value().orElseThrow().orElseThrow();
    return ServiceExplainer.explain(evidence, service, "");
  }

  static String text(Explanation explanation, SentenceCatalog language) {
    SentenceCatalog texts = language.localized(BaseCluster.NOW, ZoneOffset.UTC);
    List<String> lines = new ArrayList<>();
    lines.add(texts.text(explanation.header()));
    for (Row row : explanation.rows()) {
      lines.add(
          mark(row.shownState())
              + " "
              + row.name()
              + ": "
              + texts.text(row.message())
              + row.source().map(source -> " (" + source + ")").orElse("")
              + row.code().map(code -> " " + code).orElse(""));
      row.items()
          .forEach(
              item ->
                  lines.add(
                      "   "
                          + item.pod()
                          + " "
                          + item.place()
                          + " "
                          + texts.text(item.text())
                          + item.code().map(code -> " " + code).orElse("")));
      row.prose()
          .forEach(
              finding ->
                  lines.add(
                      "             " + texts.text(finding.sentence()) + " " + finding.code()));
    }
    lines.add(
        VerdictLine.of(explanation, texts)
            + VerdictLine.next(explanation, texts).map(next -> " Next: " + next).orElse(""));
    return String.join("\n", lines);
  }

  private static String mark(RowState state) {
    return switch (state) {
      case OK -> "✓";
      case WARNING -> "!";
      case FAULT -> "✗";
      case NONE, UNKNOWN -> "–";
    };
  }
}
