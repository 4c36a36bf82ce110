package io.fairlead.kernel.ipvs;

import java.net.InetAddress;

/// Where a virtual server's connections go: by rewriting the destination (NAT, `ipvsadm -m`).
///
/// @param weight how much of the traffic, against the others; 0: no new connections, old ones go on
public record RealServer(InetAddress address, int port, int weight) {

  /// Whether two are the same place, whatever their weight.
  public boolean samePlace(RealServer other) {
    return port == other.port && address.equals(other.address);
  }

  public RealServer withWeight(int other) {
    return new RealServer(address, port, other);
  }

  /// `10.244.1.7:9376`.
  public String place() {
    return VirtualServerAddress.text(address, port);
  }
}
