package io.fairlead.insight.nodrop;

import java.util.List;
import java.util.Optional;

/// What became of connections during a command.
///
/// @param command its words; empty when only time passed
/// @param commandExit empty without a command
/// @param late new connections that were begun too late, or not at all
/// @param longLived those that were opened before
/// @param groups the losses, by cause
public record NoDropReport(
    List<String> command,
    Optional<Integer> commandExit,
    double seconds,
    ConnectionTally tally,
    LongLived longLived,
    List<LossGroup> groups) {
  /// Of a hundred slots one may be late.
  private static final int SLOTS_PER_LATE = 100;

  /// New connections.
  public record ConnectionTally(int opened, int ok, int lost, int late) {}

  /// Connections that were kept open.
  ///
  /// @param ended closed by the other end when nothing was asked of it
  public record LongLived(int opened, int ended, int broken) {}

  public NoDropReport {
    command = List.copyOf(command);
    groups = List.copyOf(groups);
  }

  public boolean hasLosses() {
    return tally.lost() + longLived.broken() > 0;
  }

  /// Whether the prober kept its pace: FL189 when it did not.
  public boolean isProof() {
    return (long) tally.late() * SLOTS_PER_LATE <= (long) tally.opened() + tally.late();
  }

  public boolean commandFailed() {
    return commandExit.filter(exit -> exit != 0).isPresent();
  }
}
