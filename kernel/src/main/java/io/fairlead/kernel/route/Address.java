package io.fairlead.kernel.route;

/// An address of an interface.
public record Address(int link, Prefix prefix) {}
