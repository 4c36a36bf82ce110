package io.fairlead.dns.server;

import java.io.IOException;

/// Where replies to one question go. Called by one thread at a time.
interface Sink {
  void send(byte[] message) throws IOException;
}
