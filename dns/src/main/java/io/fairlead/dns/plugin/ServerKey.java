package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.Name;

/// One key of a server block: `tls://example.net:8853`. A key that names a network stands for its
/// reverse zones, one key each.
public record ServerKey(Scheme scheme, Name zone, int port) {
  @Override
  public String toString() {
    return scheme.text() + "://" + zone + ":" + port;
  }
}
