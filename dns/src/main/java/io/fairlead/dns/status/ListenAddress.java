package io.fairlead.dns.status;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.SetupException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/// Where a status page listens: `:8080`, `127.0.0.1:8080`, `[::1]:8080`, `localhost:9153`.
///
/// @param host empty for all addresses
public record ListenAddress(String host, int port) {
  private static final int MOST_PORT = 65535;

  /// Reads the address of a line.
  public static ListenAddress read(Directive line, String text) throws SetupException {
    int colon = text.lastIndexOf(':');
    String digits = text.substring(colon + 1);
    boolean number =
        !digits.isEmpty()
            && digits.length() <= 5
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    if (colon < 0 || !number || Integer.parseInt(digits) > MOST_PORT) {
      throw line.problem(
          "'" + text + "' is no address to listen on; write it like :8080 or 127.0.0.1:8080");
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    if (!host.isEmpty() && !host.equals("localhost") && IpAddress.parseOrNull(host) == null) {
      throw line.problem("'" + host + "' is no IP address, in " + text);
    }
    return new ListenAddress(host, Integer.parseInt(digits));
  }

  InetSocketAddress resolve() throws UncheckedIOException {
    try {
      if (host.isEmpty()) {
        return new InetSocketAddress(port);
      }
      InetAddress address =
          host.equals("localhost")
              ? InetAddress.getLoopbackAddress()
              : InetAddress.getByAddress(IpAddress.parse(host).toBytes());
      return new InetSocketAddress(address, port);
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
