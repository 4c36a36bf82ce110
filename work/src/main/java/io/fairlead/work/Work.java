package io.fairlead.work;

/// What a thread does. Unlike a [Runnable] it may throw: the thread that runs it catches at the
/// top.
@FunctionalInterface
public interface Work {
  void run() throws Exception;
}
