package io.fairlead.dns.server;

import io.fairlead.dns.plugin.Scheme;

/// What one listener listens on.
///
/// @param address empty for all of the machine
public record ListenerKey(Scheme scheme, String address, int port) {
  /// As metrics call it: `dns://:53`, `tls://10.0.0.1:853`.
  @Override
  public String toString() {
    String host = address.indexOf(':') >= 0 ? "[" + address + "]" : address;
    return scheme.text() + "://" + host + ":" + port;
  }
}
