package io.fairlead.proxy.announce;

import io.fairlead.proxy.bgp.BgpEngine;

/// What an announcer tells the network with.
///
/// @param routers speaks BGP
/// @param promiscuous whether cards hand up frames for others too, where broadcasts do not arrive
public record AnnounceMeans(BgpEngine routers, boolean promiscuous) {}
