package io.fairlead.store.embedded;

/// Waiting for threads this engine owns.
final class Threads {
  private Threads() {}

  /// Waits for the end of a thread, also when interrupted; the interrupt is kept for the caller.
  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
