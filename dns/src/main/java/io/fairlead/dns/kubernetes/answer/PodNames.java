package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.wire.Name;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Addresses written as labels: `10-244-3-99`, `fd00-244-8--8`.
final class PodNames {
  private static final int LONGEST = 39;

  private PodNames() {}

  /// The address a label stands for, or null when it is none. Three single dashes make an IPv4
  /// address, anything else is read as IPv6.
  static @Nullable IpAddress address(byte[] bytes, int at) {
    int length = bytes[at];
    if (length > LONGEST) {
      return null;
    }
    String label = new String(bytes, at + 1, length, StandardCharsets.US_ASCII);
    if (label.indexOf('.') >= 0 || label.indexOf(':') >= 0) {
      return null;
    }
    long dashes = label.chars().filter(c -> c == '-').count();
    boolean ipv4 = dashes == 3 && !label.contains("--");
    return IpAddress.parseOrNull(label.replace('-', ipv4 ? '.' : ':'));
  }

  /// Whether a label is that text, which is in lower case.
  static boolean same(byte[] bytes, int at, String text) {
    if (bytes[at] != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (Name.lower(bytes[at + 1 + i]) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
