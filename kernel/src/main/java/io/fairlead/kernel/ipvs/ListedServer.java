package io.fairlead.kernel.ipvs;

/// A virtual server as the kernel lists it.
public record ListedServer(VirtualServer server, Statistics statistics) {}
