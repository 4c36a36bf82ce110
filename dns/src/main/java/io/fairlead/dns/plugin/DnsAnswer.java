package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.ResourceRecord;
import java.util.List;

/// What a chain makes of a query.
public sealed interface DnsAnswer
    permits Reply, DnsAnswer.NoReply, DnsAnswer.ZoneTransfer, DnsAnswer.WouldBlock {
  /// Nothing is sent.
  record NoReply() implements DnsAnswer {}

  /// The answer has to be waited for and the query must not block ([Query#mayBlock]), like
  /// `EWOULDBLOCK` of a system call. Nothing was counted yet: the server runs the whole chain again
  /// on a thread that may wait. A plugin hands it on like any answer that is no [Reply].
  record WouldBlock() implements DnsAnswer {}

  /// A zone transfer: the records of each message to send, in order. Read once, by one thread; the
  /// server cuts pieces that are too long for one message.
  record ZoneTransfer(Iterable<List<ResourceRecord>> pieces) implements DnsAnswer {}
}
