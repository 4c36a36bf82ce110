package io.fairlead.dns.corefile;

import io.fairlead.dns.plugin.Scheme;
import io.fairlead.dns.plugin.ServerKey;
import io.fairlead.dns.wire.Name;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Reads the key of a server block: `[scheme://]zone-or-range[:port]`.
final class ServerKeyReader {
  private static final int MOST_PORT = 65535;

  private ServerKeyReader() {}

  /// The keys a text stands for: several when it names a range of addresses that does not end at a
  /// label of the reverse tree. IllegalArgumentException says what is wrong with it.
  ///
  /// @param dnsPort for plain DNS when the text has no port
  static List<ServerKey> read(String text, int dnsPort) {
    String rest = text;
    Scheme scheme = Scheme.DNS;
    int separator = text.indexOf("://");
    if (separator >= 0) {
      scheme = scheme(text.substring(0, separator));
      rest = text.substring(separator + 3);
    }
    int port = scheme == Scheme.DNS ? dnsPort : scheme.defaultPort();
    int colon = rest.lastIndexOf(':');
    if (colon >= 0 && isNumber(rest, colon + 1)) {
      port = port(rest.substring(colon + 1));
      rest = rest.substring(0, colon);
    }
    List<ServerKey> keys = new ArrayList<>();
    for (Name zone : DnsZones.read(rest)) {
      keys.add(new ServerKey(scheme, zone, port));
    }
    return keys;
  }

  private static Scheme scheme(String text) {
    for (Scheme scheme : Scheme.values()) {
      if (scheme.text().equals(text.toLowerCase(Locale.ROOT))) {
        return scheme;
      }
    }
    String known =
        Arrays.stream(Scheme.values()).map(s -> s.text() + "://").collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "the transport " + text + ":// is not served here; there are " + known);
  }

  private static boolean isNumber(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return from < text.length();
  }

  private static int port(String digits) {
    int port = digits.length() > 5 ? MOST_PORT + 1 : Integer.parseInt(digits);
    if (port > MOST_PORT) {
      throw new IllegalArgumentException("the port " + digits + " is above " + MOST_PORT);
    }
    return port;
  }
}
