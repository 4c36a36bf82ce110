package io.fairlead.store;

/// Which entries to read.
///
/// @param prefix keys that start so
/// @param after only keys greater than this one; empty starts at the beginning
/// @param limit at most so many; 0 means all
/// @param revision the moment to read at; 0 means now
public record Range(String prefix, String after, int limit, long revision) {
  public static Range all(String prefix) {
    return new Range(prefix, "", 0, 0);
  }
}
