package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.wire.QueryView;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Addresses written backwards: `7.14.96.10.in-addr.arpa`.
final class ReverseNameParser {
  private static final byte[] IN_ADDR = "in-addr".getBytes(StandardCharsets.US_ASCII);
  private static final int IPV4_LABELS = 4;
  private static final int IPV6_LABELS = 32;

  /// The first bits of an address.
  record Prefix(IpAddress address, int bits) {
    IpAddress first() {
      return address;
    }

    /// The last address that begins like that.
    IpAddress last() {
      if (address.isIpv4()) {
        return IpAddress.ipv4(address.low() | ones(32 - bits));
      }
      return IpAddress.ipv6(
          address.high() | ones(64 - Math.min(bits, 64)),
          address.low() | ones(64 - Math.max(bits - 64, 0)));
    }

    private static long ones(int count) {
      return count == 0 ? 0 : -1L >>> (64 - count);
    }

    boolean isWhole() {
      return bits == address.family().bits();
    }
  }

  private ReverseNameParser() {}

  /// What a reverse name stands for; null when its labels are no address or too many.
  static @Nullable Prefix read(QueryView view) {
    int labels = view.labelCount() - 2;
    if (labels < 0) {
      return null;
    }
    return view.labelIs(labels, IN_ADDR) ? ipv4(view, labels) : ipv6(view, labels);
  }

  private static @Nullable Prefix ipv4(QueryView view, int labels) {
    if (labels > IPV4_LABELS) {
      return null;
    }
    long bits = 0;
    for (int i = labels - 1; i >= 0; i--) {
      int value = decimal(view.bytes(), view.labelAt(i));
      if (value < 0) {
        return null;
      }
      bits = bits << 8 | value;
    }
    return new Prefix(IpAddress.ipv4(bits << (8 * (IPV4_LABELS - labels))), labels * 8);
  }

  private static int decimal(byte[] bytes, int at) {
    int length = bytes[at];
    if (length > 3 || (length > 1 && bytes[at + 1] == '0')) {
      return -1;
    }
    int value = 0;
    for (int i = 1; i <= length; i++) {
      int digit = bytes[at + i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value > 255 ? -1 : value;
  }

  private static @Nullable Prefix ipv6(QueryView view, int labels) {
    if (labels > IPV6_LABELS) {
      return null;
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < labels; i++) {
      int at = view.labelAt(labels - 1 - i);
      int value = view.bytes()[at] == 1 ? Character.digit(view.bytes()[at + 1], 16) : -1;
      if (value < 0) {
        return null;
      }
      if (i < 16) {
        high |= (long) value << (60 - 4 * i);
      } else {
        low |= (long) value << (60 - 4 * (i - 16));
      }
    }
    return new Prefix(IpAddress.ipv6(high, low), labels * 4);
  }
}
