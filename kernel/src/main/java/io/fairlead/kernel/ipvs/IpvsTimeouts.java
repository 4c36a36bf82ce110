package io.fairlead.kernel.ipvs;

/// How many seconds the kernel remembers a quiet connection. When written, 0 leaves the kernel's
/// own.
///
/// @param tcpFin after the connection was closed
public record IpvsTimeouts(int tcp, int tcpFin, int udp) {}
