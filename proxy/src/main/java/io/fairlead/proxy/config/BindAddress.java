package io.fairlead.proxy.config;

import io.fairlead.api.net.IpAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// Where a server listens, as `0.0.0.0:10256` or `[::]:10256`.
public final class BindAddress {
  private BindAddress() {}

  /// Null when the text is none. Port 0, any free one, is allowed for tests.
  public static @Nullable InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return null;
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    IpAddress address =
        IpAddress.parseOrNull(bracketed ? host.substring(1, host.length() - 1) : host);
    if (address == null || address.isIpv6() != bracketed) {
      return null;
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return port < 0 || port > 65_535
          ? null
          : new InetSocketAddress(InetAddress.getByAddress(address.toBytes()), port);
    } catch (NumberFormatException | UnknownHostException _) {
      return null;
    }
  }
}
