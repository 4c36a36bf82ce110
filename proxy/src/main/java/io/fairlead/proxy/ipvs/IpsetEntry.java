package io.fairlead.proxy.ipvs;

/// One entry of a set, as `ipset` writes it.
record IpsetEntry(SetKind set, String text) {}
