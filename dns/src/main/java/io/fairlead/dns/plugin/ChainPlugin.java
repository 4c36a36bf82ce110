package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.Name;

/// A plugin that takes part in answering.
public interface ChainPlugin extends Plugin {
  /// Answers, or asks the rest of the chain. The end of the chain answers SERVFAIL.
  DnsAnswer handle(Query query, Handler next);

  /// Whether answers from our own data about names in that zone pass this plugin unchanged, so that
  /// the server may leave it out for them. Asked once per configuration. When in doubt false: that
  /// is only slower.
  default boolean passesOwnData(Name zone) {
    return false;
  }

  /// Whether it may wait, for a network or a disk for instance. One that says no is run on the
  /// thread that received the query, which answers many clients: it only computes, does not take
  /// long, and counts what it counts after the rest of the chain has answered, unless that answer
  /// is [DnsAnswer.WouldBlock]. Asked once per configuration. When in doubt true: that is only
  /// slower.
  default boolean mayBlock() {
    return true;
  }

  /// Whether it gives the same reply to the same question from every client, as long as the reply's
  /// [Reply#validity] says. Of a plugin that does not, no reply is repeated without it. When in
  /// doubt false: that is only slower.
  default boolean treatsClientsAlike() {
    return false;
  }
}
