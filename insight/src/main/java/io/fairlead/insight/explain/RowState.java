package io.fairlead.insight.explain;

import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Severity;
import java.util.List;
import java.util.Locale;

/// How one row stands.
public enum RowState {
  OK,
  WARNING,
  FAULT,
  /// There is nothing to judge, or only something worth knowing.
  NONE,
  /// It could not be seen.
  UNKNOWN;

  /// What findings make of a row that would stand so without them.
  RowState with(List<Finding> findings) {
    Severity gravest =
        findings.stream().map(Finding::severity).min(Severity::compareTo).orElse(Severity.NOTE);
    return switch (gravest) {
      case FAULT -> FAULT;
      case WARNING -> WARNING;
      case NOTE -> this;
    };
  }

  /// As documents have it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
