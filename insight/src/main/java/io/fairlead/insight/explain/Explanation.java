package io.fairlead.insight.explain;

import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.insight.finding.Verdict;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The answer to "why": rows in the order a packet needs them, findings, a verdict.
///
/// @param header the line above the rows
/// @param summary the same as fields of a document
/// @param findings all of them, the gravest first
/// @param why what kept the machine from being looked at; only for the verdict Unknown
/// @param unseen what could not be seen
public record Explanation(
    Subject subject,
    Sentence header,
    ObjectNode summary,
    List<Row> rows,
    List<Finding> findings,
    Verdict verdict,
    Optional<Why> why,
    List<Unknown> unseen) {

  /// One thing that could not be seen.
  ///
  /// @param what `rules`, `listeners`…
  /// @param node empty when it is about none
  public record Unknown(String what, String node, Why why) {}

  public Explanation {
    rows = List.copyOf(rows);
    findings = List.copyOf(findings);
    unseen = List.copyOf(unseen);
  }

  /// The gravest finding that is no note.
  public Optional<Finding> first() {
    return findings.stream().filter(finding -> finding.severity() != Severity.NOTE).findFirst();
  }
}
