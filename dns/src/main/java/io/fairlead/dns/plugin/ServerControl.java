package io.fairlead.dns.plugin;

import java.nio.file.Path;
import java.util.Optional;

/// The process, as plugins may steer it. Safe for any thread.
public interface ServerControl {
  /// Where the configuration was read from; empty when it came from elsewhere.
  Optional<Path> corefile();

  /// Reads the configuration again and puts it in place of the running one. False when it is bad:
  /// then nothing changes and the reason is logged.
  boolean reload();

  /// Ends the process as a signal would; returns at once.
  void stop(String why);

  /// Whether the process is about to end.
  boolean stopping();
}
