package io.fairlead.server.cel;

import java.util.Arrays;

/// A value of CEL's type `bytes`. Immutable.
final class CelBytes {
  private final byte[] bytes;

  CelBytes(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  int size() {
    return bytes.length;
  }

  byte[] array() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CelBytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
