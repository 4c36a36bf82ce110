package io.fairlead.insight.explain;

import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.finding.Subject;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The line that answers the question.
public final class VerdictLine {
  private VerdictLine() {}

  public static String of(Explanation explanation, SentenceCatalog texts) {
    return switch (explanation.verdict()) {
      case WORKS -> texts.text(Sentence.of("verdict.works"));
      case WARNINGS -> texts.text(Sentence.of("verdict.warnings"));
      case BROKEN -> broken(explanation.findings().getFirst(), texts);
      case UNKNOWN ->
          texts.text(
              new Sentence(
                  "verdict.unknown", Words.why(explanation.why().orElseGet(Why.NoNodeApi::new))));
    };
  }

  /// What is wrong with a finding, with its code.
  public static String broken(Finding finding, SentenceCatalog texts) {
    boolean part = finding.subject().kind() == Subject.Kind.POD;
    Map<String, String> values = new TreeMap<>();
    values.put("sentence", texts.text(finding.sentence()));
    values.put("subject", finding.subject().name());
    values.put("code", finding.code().name());
    return texts.text(new Sentence(part ? "verdict.broken.part" : "verdict.broken", values));
  }

  /// What to do next; empty when nothing is to be done.
  public static Optional<String> next(Explanation explanation, SentenceCatalog texts) {
    return explanation
        .first()
        .map(finding -> texts.text(finding.next()))
        .filter(text -> !text.isEmpty());
  }
}
