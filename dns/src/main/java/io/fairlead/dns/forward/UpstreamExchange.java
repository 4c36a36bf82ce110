package io.fairlead.dns.forward;

import io.fairlead.dns.wire.DnsMessage;
import java.io.IOException;
import java.time.Duration;

/// Sends one query to one server and waits for its answer.
interface UpstreamExchange extends AutoCloseable {
  /// @param stream over TCP when the server speaks plain DNS; the encrypted ones always have their
  ///   own connection
  /// @return an answer with the query's id. Its question is the caller's to check.
  DnsMessage ask(UpstreamAddress target, DnsMessage query, boolean stream, Duration time)
      throws IOException;

  @Override
  void close();
}
