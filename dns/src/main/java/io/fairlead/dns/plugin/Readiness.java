package io.fairlead.dns.plugin;

/// A plugin that may not be ready to answer yet. Asked by `ready`, from any thread.
public interface Readiness {
  boolean ready();
}
