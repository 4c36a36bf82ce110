package io.fairlead.kernel.ipvs;

/// What a virtual or a real server has carried.
public record Statistics(
    long connections, long packetsIn, long packetsOut, long bytesIn, long bytesOut) {
  static final Statistics NONE = new Statistics(0, 0, 0, 0, 0);
}
