package io.fairlead.dns.forward;

import io.fairlead.dns.wire.Message;
import java.io.IOException;
import java.time.Duration;

/// Sends one query to one server and waits for its answer.
interface Exchange extends AutoCloseable {
  /// @param stream over TCP when the server speaks plain DNS; the encrypted ones always have their
  ///   own connection
  /// @return an answer with the query's id. Its question is the caller's to check.
  Message ask(Target target, Message query, boolean stream, Duration time) throws IOException;

  @Override
  void close();
}
