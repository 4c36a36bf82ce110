package io.fairlead.store;

import org.jspecify.annotations.Nullable;

/// The engine could not do what was asked. The message says what and why, and what an operator can
/// do where there is something.
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean outcomeUnknown;

  public StoreException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  public StoreException(String message, @Nullable Throwable cause, boolean outcomeUnknown) {
    super(message, cause);
    this.outcomeUnknown = outcomeUnknown;
  }

  /// Whether a commit may have happened although it was not acknowledged (connection lost after
  /// sending).
  public boolean outcomeUnknown() {
    return outcomeUnknown;
  }
}
