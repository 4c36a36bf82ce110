package io.fairlead.dns.plugin;

import java.net.InetSocketAddress;

/// Where a query came from.
///
/// @param local the address it came to
/// @param server the listener as metrics call it: `dns://:53`
public record QueryOrigin(
    InetSocketAddress remote, InetSocketAddress local, QueryTransport transport, String server) {}
