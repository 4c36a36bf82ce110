package io.fairlead.agent.probe;

/// What came of asking once.
public sealed interface Outcome {
  /// It is well.
  ///
  /// @param warning something odd that does not count against it; empty for nothing
  record Success(String warning) implements Outcome {}

  /// It is not well, or did not answer in time.
  record Failure(String text) implements Outcome {}

  /// It could not be asked; says nothing about it.
  record Unasked(String text) implements Outcome {}
}
