package io.fairlead.dns.kubernetes.data;

/// Receives how long changes took to become answers.
@FunctionalInterface
public interface DataObserver {
  void programmed(boolean headless, long milliseconds);
}
