package io.fairlead.store;

/// A running watch. Closing it is idempotent; after `close` returns the listener is not called
/// again.
public interface Watch extends AutoCloseable {
  /// Asks the engine to tell the listener how far it has come ([WatchListener#onProgress]), for
  /// watches on keys that seldom change. Answers once, some time later.
  void requestProgress();

  @Override
  void close();
}
