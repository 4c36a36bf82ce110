package io.fairlead.store;

/// Which entries to read.
///
/// @param prefix keys that start so
/// @param after only keys greater than this one; empty starts at the beginning
/// @param limit at most so many; 0 means all
/// @param revision the moment to read at; 0 means now
public record Range(String prefix, String after, int limit, long revision) {
  public Range {
    if (limit < 0 || revision < 0) {
      throw new IllegalArgumentException(
          "a range's limit and revision are not negative: " + limit + ", " + revision);
    }
  }

  public static Range all(String prefix) {
    return new Range(prefix, "", 0, 0);
  }
}
