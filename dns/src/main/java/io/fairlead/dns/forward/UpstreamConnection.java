package io.fairlead.dns.forward;

import io.fairlead.dns.wire.DnsMessage;
import java.io.IOException;
import java.time.Duration;

/// An open way to a server, for one query at a time. Used by one thread at a time.
interface UpstreamConnection extends AutoCloseable {
  /// The answer with the query's id; SocketTimeoutException when none comes in time.
  DnsMessage ask(DnsMessage query, Duration time) throws IOException;

  @Override
  void close();
}
