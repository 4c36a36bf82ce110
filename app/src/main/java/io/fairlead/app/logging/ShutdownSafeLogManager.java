package io.fairlead.app.logging;

import java.util.logging.LogManager;

/// Keeps logging while the JVM shuts down. The standard manager closes all handlers in a shutdown
/// hook of its own, beside ours, and the lines about draining and stopping would be lost.
///
/// The JVM makes it by name, so it is public and its constructor too.
public final class ShutdownSafeLogManager extends LogManager {
  @Override
  public void reset() {
    // Called by the shutdown hook; nothing here needs closing, every line is flushed.
  }

  void resetNow() {
    super.reset();
  }
}
