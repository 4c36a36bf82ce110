package io.fairlead.dns.plugin;

/// Answers queries. May block: it runs on a virtual thread of its own, never on one that reads
/// sockets. An exception becomes SERVFAIL and counts as a panic.
@FunctionalInterface
public interface Handler {
  DnsAnswer handle(Query query);
}
