package io.fairlead.insight.nodrop;

import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Subject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Losses of one cause and endpoint.
///
/// @param code empty when the evidence shows no cause that has one
/// @param sentenceKey what is said about it
/// @param values fill the sentence
public record LossGroup(
    Optional<FindingCode> code,
    String sentenceKey,
    String endpoint,
    String pod,
    List<ConnectionLoss> losses,
    Map<String, String> values) {
  public LossGroup {
    losses = List.copyOf(losses);
    values = java.util.Collections.unmodifiableMap(new TreeMap<>(values));
  }

  /// What is said about it.
  public Sentence sentence() {
    return new Sentence(sentenceKey, values);
  }

  /// What to do about it; empty when that is not known.
  public Optional<Sentence> next() {
    return sentenceKey.equals(LossJudge.UNEXPLAINED)
        ? Optional.empty()
        : Optional.of(new Sentence(sentenceKey + ".next", values));
  }

  /// The finding; empty without a cause.
  public Optional<Finding> finding(Subject service) {
    return code.map(each -> Finding.of(each, service, Source.PROBE, values));
  }
}
