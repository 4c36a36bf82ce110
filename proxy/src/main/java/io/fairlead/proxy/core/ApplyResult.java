package io.fairlead.proxy.core;

import java.util.Map;

/// What applying a plan did.
///
/// @param full everything was looked at, not only the difference
/// @param writes how many rules, chains or elements were written or removed; 0: the kernel already
///   was as wanted
/// @param sizes how much is there now, under names of the mode, for metrics; empty when the mode
///   does not count
public record ApplyResult(boolean full, int writes, Map<String, Integer> sizes) {
  public ApplyResult {
    sizes = Map.copyOf(sizes);
  }

  public static ApplyResult nothing() {
    return new ApplyResult(false, 0, Map.of());
  }
}
