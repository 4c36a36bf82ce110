package io.fairlead.kernel.nftables;

import org.jspecify.annotations.Nullable;

/// A list of rules.
///
/// @param hook where packets enter it; null for a chain that others jump to
/// @param comment for people, empty for none
public record Chain(String name, @Nullable Hook hook, String comment) {
  public static Chain plain(String name, String comment) {
    return new Chain(name, null, comment);
  }
}
