package io.fairlead.agent.probe;

/// What came of asking once.
public sealed interface ProbeOutcome {
  /// It is well.
  ///
  /// @param warning something odd that does not count against it; empty for nothing
  record Success(String warning) implements ProbeOutcome {}

  /// It is not well, or did not answer in time.
  record Failure(String text) implements ProbeOutcome {}

  /// It could not be asked; says nothing about it.
  record Unknown(String text) implements ProbeOutcome {}
}
