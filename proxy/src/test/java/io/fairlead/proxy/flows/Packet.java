package io.fairlead.proxy.flows;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Protocol;

/// The first packet of a connection.
///
/// @param fromNode a process of the node sends it
public record Packet(
    IpAddress source, IpAddress to, int port, Protocol protocol, boolean fromNode) {}
