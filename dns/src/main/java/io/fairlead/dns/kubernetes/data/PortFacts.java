package io.fairlead.dns.kubernetes.data;

import io.fairlead.dns.wire.Name;
import java.util.Locale;

/// A port of a Service or a slice. Name and protocol are in lower case; the name may be empty.
public record PortFacts(String name, String protocol, int port) {
  /// The number of a port that is none.
  public static final int NONE = -1;

  public PortFacts {
    name = name.toLowerCase(Locale.ROOT);
    protocol = protocol.toLowerCase(Locale.ROOT);
  }

  /// Whether `_port._protocol` means this port. A label without a name behind its underscore means
  /// any; the underscores themselves may be missing (spec/dns.md Q9).
  ///
  /// @param bytes two labels, the port's and the protocol's
  public boolean matches(byte[] bytes, int portAt, int protocolAt) {
    return matches(bytes, portAt, name) && matches(bytes, protocolAt, protocol);
  }

  /// Whether a label is this name, with or without an underscore in front, or an underscore alone.
  static boolean matches(byte[] bytes, int at, String wanted) {
    int length = bytes[at];
    int from = at + 1;
    if (bytes[from] == '_') {
      from++;
      length--;
      if (length == 0) {
        return true;
      }
    }
    if (length != wanted.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (Name.lower(bytes[from + i]) != wanted.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /// Whether a label is `_tcp` for a named port of that protocol: the name above `_http._tcp`.
  public boolean isBelow(byte[] bytes, int at) {
    return port != NONE
        && !name.isEmpty()
        && bytes[at] > 1
        && bytes[at + 1] == '_'
        && matches(bytes, at, protocol);
  }
}
