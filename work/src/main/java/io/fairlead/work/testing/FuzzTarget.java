package io.fairlead.work.testing;

/// A reader of bytes that may come from a stranger.
@FunctionalInterface
public interface FuzzTarget {
  /// Reads them. May throw what the reader is documented to throw for bad input.
  void read(byte[] bytes) throws Exception;
}
