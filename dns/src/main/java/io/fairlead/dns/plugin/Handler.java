package io.fairlead.dns.plugin;

/// Answers queries. May block where the query says so ([Query#mayBlock]): then it runs on a virtual
/// thread of its own, not on one that reads sockets. An exception becomes SERVFAIL and counts as a
/// panic.
@FunctionalInterface
public interface Handler {
  DnsAnswer handle(Query query);
}
