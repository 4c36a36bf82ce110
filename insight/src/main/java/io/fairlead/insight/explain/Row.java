package io.fairlead.insight.explain;

import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One question about a Service, and its answer.
///
/// @param name `Selector`, `Rules`…; the same in all languages
/// @param state without regard to findings; see [#shownState]
/// @param source where the answer is from; empty when there is none
/// @param items lines below it, all of them
/// @param findings what was found in answering it
public record Row(
    String name,
    RowState state,
    Sentence message,
    Optional<Source> source,
    List<RowItem> items,
    List<Finding> findings) {
  public Row {
    items = List.copyOf(items);
    findings = List.copyOf(findings);
  }

  static Row of(String name, RowState state, Sentence message, Source source) {
    return new Row(name, state, message, Optional.of(source), List.of(), List.of());
  }

  /// A row that says what was found.
  static Row found(String name, RowState state, Finding finding) {
    return new Row(
        name,
        state,
        finding.sentence(),
        Optional.of(finding.source()),
        List.of(),
        List.of(finding));
  }

  static Row unknown(String name, Sentence why) {
    return new Row(name, RowState.UNKNOWN, why, Optional.empty(), List.of(), List.of());
  }

  Row with(Finding finding) {
    List<Finding> all = new ArrayList<>(findings);
    all.add(finding);
    return new Row(name, state, message, source, items, all);
  }

  Row withFindings(List<Finding> others) {
    return new Row(name, state, message, source, items, others);
  }

  Row withItems(List<RowItem> others) {
    return new Row(name, state, message, source, others, findings);
  }

  /// How it stands.
  public RowState shownState() {
    return state.with(findings);
  }

  /// The code beside the row: that of its gravest finding when it says just that.
  public Optional<FindingCode> code() {
    return findings.stream()
        .filter(finding -> finding.sentence().equals(message))
        .map(Finding::code)
        .findFirst();
  }

  /// Findings that have a line of their own below the row: those that neither the row nor an item
  /// says.
  public List<Finding> prose() {
    Optional<FindingCode> said = code();
    Set<String> listed = new HashSet<>();
    items.forEach(item -> item.code().ifPresent(code -> listed.add(code + " " + item.pod())));
    return findings.stream()
        .filter(finding -> said.isEmpty() || finding.code() != said.get())
        .filter(finding -> !listed.contains(finding.code() + " " + finding.subject().name()))
        .sorted(Finding.GRAVEST_FIRST)
        .toList();
  }
}
