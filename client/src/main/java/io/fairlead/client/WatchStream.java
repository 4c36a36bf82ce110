package io.fairlead.client;

import java.util.Optional;

/// A running watch. Read by one thread; closed by any.
public interface WatchStream extends AutoCloseable {
  /// Waits for the next event. Empty when the server has ended the watch in order, as it does after
  /// the time asked for; `ConnectionException` when the connection was cut.
  Optional<WatchStreamEvent> next();

  /// Ends the watch; a waiting `next` fails. Idempotent.
  @Override
  void close();
}
