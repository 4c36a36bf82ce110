package io.fairlead.kernel.route;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// How the kernel would send a packet to one destination.
///
/// @param gateway the next machine; null when the destination is on the link
/// @param link the number of the interface
/// @param source the address such packets have; null when the kernel names none
/// @param local whether the destination is an address of this namespace itself
public record RouteLookup(
    @Nullable InetAddress gateway, int link, @Nullable InetAddress source, boolean local) {}
