package io.fairlead.dns.forward;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.wire.Name;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads one TO of a `forward` line.
final class UpstreamAddressReader {
  private static final int MOST_PORT = 65535;

  /// What a TO can be.
  sealed interface Destination {
    record Server(UpstreamAddress target) implements Destination {}

    /// A host name, with what else was said about it.
    record Host(
        UpstreamAddress.Protocol protocol, String host, int port, @Nullable String serverName)
        implements Destination {}

    record File(String path) implements Destination {}
  }

  private UpstreamAddressReader() {}

  /// IllegalArgumentException says what is wrong.
  static Destination read(String text) {
    UpstreamAddress.Protocol protocol = UpstreamAddress.Protocol.DNS;
    String rest = text;
    int scheme = text.indexOf("://");
    if (scheme >= 0) {
      protocol = protocol(text.substring(0, scheme));
      rest = text.substring(scheme + 3);
    } else if (text.startsWith("/") || text.startsWith("./")) {
      return new Destination.File(text);
    }
    String serverName = null;
    int percent = rest.indexOf('%');
    if (percent >= 0) {
      int colon = rest.indexOf(':', percent);
      serverName = rest.substring(percent + 1, colon < 0 ? rest.length() : colon);
      rest = rest.substring(0, percent) + (colon < 0 ? "" : rest.substring(colon));
    }
    IpAddress bare = IpAddress.parseOrNull(rest);
    if (bare != null) {
      return new Destination.Server(
          new UpstreamAddress(protocol, bare, protocol.defaultPort(), serverName));
    }
    int port = protocol.defaultPort();
    String host = rest;
    int colon = rest.lastIndexOf(':');
    if (colon >= 0 && !rest.endsWith("]")) {
      port = port(text, rest.substring(colon + 1));
      host = rest.substring(0, colon);
    }
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    IpAddress address = IpAddress.parseOrNull(host);
    if (address != null) {
      return new Destination.Server(new UpstreamAddress(protocol, address, port, serverName));
    }
    boolean digits = host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    if (host.isEmpty() || digits || Name.parseOrNull(host) == null || host.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is no upstream; write IP[:PORT], tls://IP, https://IP, NAME or a file");
    }
    return new Destination.Host(protocol, host, port, serverName);
  }

  private static UpstreamAddress.Protocol protocol(String scheme) {
    return switch (scheme.toLowerCase(Locale.ROOT)) {
      case "dns" -> UpstreamAddress.Protocol.DNS;
      case "tls" -> UpstreamAddress.Protocol.TLS;
      case "https" -> UpstreamAddress.Protocol.HTTPS;
      default ->
          throw new IllegalArgumentException(
              "cannot forward over " + scheme + "://; there are dns://, tls:// and https://");
    };
  }

  private static int port(String text, String digits) {
    boolean number = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    int port = number && digits.length() <= 5 ? Integer.parseInt(digits) : 0;
    if (port < 1 || port > MOST_PORT) {
      throw new IllegalArgumentException("'" + digits + "' is no port, in " + text);
    }
    return port;
  }
}
