package io.fairlead.dns.forward;

import io.fairlead.api.net.IpAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// One server to ask.
///
/// @param serverName what its certificate must say; null for its address
record UpstreamAddress(
    Protocol protocol, IpAddress address, int port, @Nullable String serverName) {
  /// How it is asked.
  enum Protocol {
    DNS(53),
    TLS(853),
    HTTPS(443);

    private final int port;

    Protocol(int port) {
      this.port = port;
    }

    int defaultPort() {
      return port;
    }
  }

  InetSocketAddress socketAddress() {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(address.toBytes()), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }

  /// As metrics call it: `10.0.0.1:53`, `[fd00::1]:53`.
  @Override
  public String toString() {
    String host = address.isIpv6() ? "[" + address + "]" : address.toString();
    return host + ":" + port;
  }
}
