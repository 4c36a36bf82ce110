package io.fairlead.insight.finding;

import io.fairlead.insight.evidence.Source;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One thing that was found.
///
/// @param values fill the sentence of its code, by name; documents carry them
/// @param evidence what it rests on; never empty
public record Finding(
    FindingCode code,
    Severity severity,
    Subject subject,
    Map<String, String> values,
    List<Proof> evidence) {

  /// Faults first, then in the order of codes, then by name.
  public static final Comparator<Finding> GRAVEST_FIRST =
      Comparator.comparing(Finding::severity)
          .thenComparing(Finding::code)
          .thenComparing(finding -> finding.subject().name());

  public Finding {
    // In order, so that documents do not differ from run to run.
    values = java.util.Collections.unmodifiableMap(new TreeMap<>(values));
    evidence = List.copyOf(evidence);
  }

  /// As grave as its code says.
  public static Finding of(
      FindingCode code, Subject subject, Source source, Map<String, String> values) {
    return new Finding(code, code.severity(), subject, values, List.of(new Proof(source, "", "")));
  }

  /// The same, of another gravity.
  public Finding as(Severity other) {
    return new Finding(code, other, subject, values, evidence);
  }

  /// Where its weightiest evidence is from.
  public Source source() {
    return evidence.getFirst().source();
  }

  public Sentence sentence() {
    return new Sentence(code.name(), values);
  }

  /// What to do about it; its text may be empty.
  public Sentence next() {
    return new Sentence(code + ".next", values);
  }
}
