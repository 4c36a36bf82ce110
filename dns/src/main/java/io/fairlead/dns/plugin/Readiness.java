package io.fairlead.dns.plugin;

/// A plugin that may not be ready to answer yet. Asked by `ready`, from any thread.
public interface Readiness {
  boolean ready();

  /// Whether it may stop being ready later, so that it has to be asked each time.
  default boolean lapses() {
    return false;
  }
}
