package io.fairlead.server.cel;

/// A number of CEL's type `uint`.
record CelUint(long bits) implements Comparable<CelUint> {
  @Override
  public int compareTo(CelUint other) {
    return Long.compareUnsigned(bits, other.bits);
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(bits);
  }
}
