package io.fairlead.insight.finding;

import java.util.Locale;

/// How grave a finding is; the gravest first.
public enum Severity {
  /// Something does not work.
  FAULT,
  /// It works, but not as it should.
  WARNING,
  /// Worth knowing.
  NOTE;

  /// As documents have it: `fault`…
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
