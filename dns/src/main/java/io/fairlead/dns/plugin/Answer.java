package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.ResourceRecord;
import java.util.List;

/// What a chain makes of a query.
public sealed interface Answer permits Reply, Answer.Silence, Answer.Transfer {
  /// Nothing is sent.
  record Silence() implements Answer {}

  /// A zone transfer: the records of each message to send, in order. Read once, by one thread; the
  /// server cuts pieces that are too long for one message.
  record Transfer(Iterable<List<ResourceRecord>> pieces) implements Answer {}
}
