package io.fairlead.proxy.userspace.relay;

import io.fairlead.kernel.syscall.NativeSocketAddress;

/// A client's address and port as a key of a map. One of them can be filled again and again to look
/// others up; those in a map are never changed.
final class ClientKey {
  private static final int SPREAD = 0x9e3779b1;

  private long high;
  private long low;
  private int port;

  ClientKey set(NativeSocketAddress from) {
    high = from.high();
    low = from.low();
    port = from.port();
    return this;
  }

  ClientKey copy() {
    ClientKey copy = new ClientKey();
    copy.high = high;
    copy.low = low;
    copy.port = port;
    return copy;
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }

  int port() {
    return port;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClientKey key && key.high == high && key.low == low && key.port == port;
  }

  @Override
  public int hashCode() {
    int mixed = (Long.hashCode(high) * 31 + Long.hashCode(low)) * 31 + port;
    int spread = mixed * SPREAD;
    return spread ^ (spread >>> 15);
  }
}
