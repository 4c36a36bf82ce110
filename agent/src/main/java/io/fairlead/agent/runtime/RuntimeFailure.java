package io.fairlead.agent.runtime;

/// A runtime could not do what it was asked for.
public final class RuntimeFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /// @param reason the waiting reason it means for a container, such as `ErrImagePull`
  public RuntimeFailure(String reason, String message) {
    super(message);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }

  /// Why, for people.
  public String text() {
    return String.valueOf(getMessage());
  }
}
