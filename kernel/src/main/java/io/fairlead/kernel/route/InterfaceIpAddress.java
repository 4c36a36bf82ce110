package io.fairlead.kernel.route;

/// An address of an interface.
public record InterfaceIpAddress(int link, IpPrefix prefix) {}
