package io.fairlead.kernel.nftables;

/// A rule as the kernel lists it.
///
/// @param handle its number in the table
public record ListedRule(String table, String chain, long handle, NftRule rule) {}
