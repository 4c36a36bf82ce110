package io.fairlead.agent.pod;

/// What becomes of a container that ended.
public enum RestartPolicy {
  ALWAYS,
  ON_FAILURE,
  NEVER;

  static RestartPolicy of(String word) {
    return switch (word) {
      case "OnFailure" -> ON_FAILURE;
      case "Never" -> NEVER;
      default -> ALWAYS;
    };
  }

  /// Whether one that ended so starts again.
  public boolean restarts(int exitCode) {
    return switch (this) {
      case ALWAYS -> true;
      case ON_FAILURE -> exitCode != 0;
      case NEVER -> false;
    };
  }
}
