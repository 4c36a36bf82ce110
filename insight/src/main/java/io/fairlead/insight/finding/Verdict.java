package io.fairlead.insight.finding;

import java.util.List;

/// What all findings together say.
public enum Verdict {
  WORKS("Works"),
  WARNINGS("Warnings"),
  BROKEN("Broken"),
  /// The API looks right, and nothing below it could be checked.
  UNKNOWN("Unknown");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  /// @param checked whether anything below the API was seen
  public static Verdict of(List<Finding> findings, boolean checked) {
    Severity gravest =
        findings.stream().map(Finding::severity).min(Severity::compareTo).orElse(Severity.NOTE);
    return switch (gravest) {
      case FAULT -> BROKEN;
      case WARNING -> WARNINGS;
      case NOTE -> checked ? WORKS : UNKNOWN;
    };
  }

  /// As documents have it.
  @Override
  public String toString() {
    return text;
  }
}
