package io.fairlead.proxy.ipvs;

/// One entry of a set, as `ipset` writes it.
record Entry(SetKind set, String text) {}
