package io.fairlead.insight.history;

import io.fairlead.insight.finding.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One line of a history.
///
/// @param kind `endpoint`, `spec`, `drift`, `mode`, `start` or `event`
/// @param service `NAMESPACE/NAME`; empty when it is about none
/// @param user who caused it; empty when that is not known
public record HistoryChange(
    Instant at,
    String kind,
    String service,
    Sentence what,
    Sentence why,
    String user,
    Optional<SliceWrite> slice,
    List<NodeTime> nodes) {
  /// @param after how long after the cause it was written
  public record SliceWrite(String name, String resourceVersion, Duration after) {}

  /// How a node followed.
  ///
  /// @param after how long after the cause its rules showed it; empty unless they do
  public record NodeTime(
      String node,
      State state,
      Optional<Duration> after,
      Optional<Instant> received,
      Optional<Instant> applied) {
    /// What is known of it.
    public enum State {
      APPLIED("applied"),
      NOT_YET("notYet"),
      UNKNOWN("unknown"),
      /// The change is not for it.
      NONE("none");

      private final String text;

      State(String text) {
        this.text = text;
      }

      /// As documents have it.
      @Override
      public String toString() {
        return text;
      }
    }

    static NodeTime without(String node, State state) {
      return new NodeTime(node, state, Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  public HistoryChange {
    nodes = List.copyOf(nodes);
  }
}
