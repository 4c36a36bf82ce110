package io.fairlead.proxy.core;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// The kernel, or a tool, refused what a mode asked for.
public final class DataPlaneException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public DataPlaneException(String message) {
    super(message);
  }

  public DataPlaneException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
