package io.fairlead.insight.progress;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.Why;
import java.util.List;
import java.util.Optional;

/// What came of waiting.
///
/// @param millis how long it took, or how long was waited
/// @param goal empty for conditions that are not about rules, and before the versions were known
/// @param left nodes whose proxies stopped living meanwhile
/// @param detail what was seen last: `2 of 3`, an address; empty when nothing was
public record WaitResult(
    ObjectKey service,
    WaitCondition condition,
    State state,
    long millis,
    Optional<ProgressGoal> goal,
    List<NodeProgress> nodes,
    List<String> left,
    String detail,
    Optional<Why> why) {
  /// How it ended.
  public enum State {
    DONE,
    /// Not in time.
    LATE,
    /// There is no such Service.
    ABSENT,
    /// Nodes do not say how far they are: `detail` names them.
    FOREIGN,
    /// The API server gave no answer.
    UNSEEN,
    INTERRUPTED
  }

  public WaitResult {
    nodes = List.copyOf(nodes);
    left = List.copyOf(left);
  }

  public long doneNodes() {
    return nodes.stream().filter(NodeProgress::isDone).count();
  }
}
