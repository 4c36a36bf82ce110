package io.fairlead.kernel.route;

/// An interface.
///
/// @param index its number in the namespace
/// @param kind `veth`, `bridge`, `vxlan`, `dummy`; empty for one of hardware and for loopback
/// @param master the number of the bridge it belongs to, 0 for none
public record Link(int index, String name, boolean up, int mtu, String kind, int master) {}
