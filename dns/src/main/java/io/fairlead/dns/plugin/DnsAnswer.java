package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.ResourceRecord;
import java.util.List;

/// What a chain makes of a query.
public sealed interface DnsAnswer permits Reply, DnsAnswer.NoReply, DnsAnswer.ZoneTransfer {
  /// Nothing is sent.
  record NoReply() implements DnsAnswer {}

  /// A zone transfer: the records of each message to send, in order. Read once, by one thread; the
  /// server cuts pieces that are too long for one message.
  record ZoneTransfer(Iterable<List<ResourceRecord>> pieces) implements DnsAnswer {}
}
