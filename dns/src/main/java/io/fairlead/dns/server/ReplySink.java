package io.fairlead.dns.server;

import io.fairlead.dns.plugin.Reply;
import java.io.IOException;

/// Where replies to one question go. Called by one thread at a time.
interface ReplySink {
  void send(byte[] message) throws IOException;

  /// The message just sent answers the same packet again while the reply is valid.
  default void repeatable(byte[] message, Router.Route route, Reply made) {}
}
