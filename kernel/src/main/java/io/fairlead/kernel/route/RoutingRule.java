package io.fairlead.kernel.route;

/// Which routing table packets of a source use.
///
/// @param priority rules are tried from the lowest
public record RoutingRule(IpPrefix source, int table, int priority) {}
