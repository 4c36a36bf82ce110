package io.fairlead.kernel.ipvs;

/// A virtual server as the kernel lists it.
public record ListedVirtualServer(VirtualServer server, IpvsStatistics statistics) {}
