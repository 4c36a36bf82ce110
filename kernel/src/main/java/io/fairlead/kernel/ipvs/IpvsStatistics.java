package io.fairlead.kernel.ipvs;

/// What a virtual or a real server has carried.
public record IpvsStatistics(
    long connections, long packetsIn, long packetsOut, long bytesIn, long bytesOut) {
  static final IpvsStatistics NONE = new IpvsStatistics(0, 0, 0, 0, 0);
}
