package io.fairlead.controller.runtime;

/// One controller as its owner sees it.
public interface Controller extends AutoCloseable {
  /// Joins the informers it reads and starts its workers. Once only; the informers themselves are
  /// started by their owner, after all who share them have joined.
  void start();

  /// Its workers, to be measured.
  ControllerLoop<?> loop();

  /// Whether nothing is being worked on, waits to be, or waits for the sight of an own write; what
  /// is due later does not count.
  default boolean idle() {
    return loop().idle();
  }

  /// Ends all its work and waits for that. Idempotent.
  @Override
  void close();
}
