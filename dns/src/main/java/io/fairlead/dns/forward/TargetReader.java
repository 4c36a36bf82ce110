package io.fairlead.dns.forward;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.wire.Name;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads one TO of a `forward` line.
final class TargetReader {
  private static final int MOST_PORT = 65535;

  /// What a TO can be.
  sealed interface To {
    record Server(Target target) implements To {}

    /// A host name, with what else was said about it.
    record Host(Target.Protocol protocol, String host, int port, @Nullable String serverName)
        implements To {}

    record File(String path) implements To {}
  }

  private TargetReader() {}

  /// IllegalArgumentException says what is wrong.
  static To read(String text) {
    Target.Protocol protocol = Target.Protocol.DNS;
    String rest = text;
    int scheme = text.indexOf("://");
    if (scheme >= 0) {
      protocol = protocol(text.substring(0, scheme));
      rest = text.substring(scheme + 3);
    } else if (text.startsWith("/") || text.startsWith("./")) {
      return new To.File(text);
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
      return new To.Server(new Target(protocol, bare, protocol.defaultPort(), serverName));
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
      return new To.Server(new Target(protocol, address, port, serverName));
    }
    boolean digits = host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    if (host.isEmpty() || digits || Name.parseOrNull(host) == null || host.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is no upstream; write IP[:PORT], tls://IP, https://IP, NAME or a file");
    }
    return new To.Host(protocol, host, port, serverName);
  }

  private static Target.Protocol protocol(String scheme) {
    return switch (scheme.toLowerCase(Locale.ROOT)) {
      case "dns" -> Target.Protocol.DNS;
      case "tls" -> Target.Protocol.TLS;
      case "https" -> Target.Protocol.HTTPS;
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
