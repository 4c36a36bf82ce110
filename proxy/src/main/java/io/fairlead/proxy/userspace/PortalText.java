package io.fairlead.proxy.userspace;

import io.fairlead.proxy.userspace.balance.PooledEndpoint;
import io.fairlead.proxy.userspace.relay.Portal;

/// Portals as text, for people.
final class PortalText {
  static final String HEADER = "# portal service policy: endpoint connections/served\n";

  private PortalText() {}

  /// `tcp 192.0.2.10:40123 shop/cart:http/tcp round-robin: 10.64.1.11:8080 2/17 …`.
  static void write(StringBuilder into, Portal portal) {
    String address = portal.address().toString();
    into.append(portal.protocol().lower())
        .append(' ')
        .append(portal.address().isIpv4() ? address : "[" + address + "]")
        .append(':')
        .append(portal.port())
        .append(' ')
        .append(portal.pool().name())
        .append(' ')
        .append(portal.pool().policy().word())
        .append(':');
    for (PooledEndpoint target : portal.pool().targets()) {
      into.append(' ')
          .append(target.text())
          .append(' ')
          .append(target.connections())
          .append('/')
          .append(target.served());
    }
    into.append('\n');
  }
}
