package io.fairlead.api.net;

import org.jspecify.annotations.Nullable;

/// Reads addresses from text, one character after the other. Returns null for anything that is not
/// an address; never throws.
final class AddressParser {
  private static final int GROUPS = 8;
  private static final int LONGEST = 64;

  private AddressParser() {}

  static @Nullable IpAddress parse(String text, boolean leadingZeros) {
    if (text.length() > LONGEST) {
      return null;
    }
    if (text.indexOf(':') >= 0) {
      return ipv6(text, leadingZeros);
    }
    long bits = ipv4(text, 0, leadingZeros);
    return bits < 0 ? null : IpAddress.ipv4(bits);
  }

  /// The 32 bits of four dotted numbers from `start` to the end, or -1.
  private static long ipv4(String text, int start, boolean leadingZeros) {
    long bits = 0;
    int at = start;
    for (int part = 0; part < 4; part++) {
      if (part > 0) {
        if (at >= text.length() || text.charAt(at) != '.') {
          return -1;
        }
        at++;
      }
      int first = at;
      int value = 0;
      while (at < text.length() && isDigit(text.charAt(at))) {
        value = value * 10 + text.charAt(at) - '0';
        at++;
        if (value > 255) {
          return -1;
        }
      }
      if (at == first || (!leadingZeros && at - first > 1 && text.charAt(first) == '0')) {
        return -1;
      }
      bits = bits << 8 | value;
    }
    return at == text.length() ? bits : -1;
  }

  private static @Nullable IpAddress ipv6(String text, boolean leadingZeros) {
    int[] groups = new int[GROUPS];
    int count = 0;
    int gap = -1;
    int at = 0;
    if (text.startsWith("::")) {
      gap = 0;
      at = 2;
    }
    while (at < text.length()) {
      if (count == GROUPS) {
        return null;
      }
      int end = hexEnd(text, at);
      if (end < text.length() && text.charAt(end) == '.') {
        long bits = ipv4(text, at, leadingZeros);
        if (bits < 0 || count > GROUPS - 2) {
          return null;
        }
        groups[count++] = (int) (bits >>> 16);
        groups[count++] = (int) (bits & 0xffff);
        break;
      }
      if (end == at || end - at > 4) {
        return null;
      }
      groups[count++] = Integer.parseInt(text, at, end, 16);
      if (end == text.length()) {
        break;
      }
      if (text.charAt(end) != ':') {
        return null;
      }
      at = end + 1;
      if (at == text.length()) {
        return null;
      }
      if (text.charAt(at) == ':') {
        if (gap >= 0) {
          return null;
        }
        gap = count;
        at++;
      }
    }
    return gap < 0 ? whole(groups, count) : filled(groups, count, gap);
  }

  private static @Nullable IpAddress whole(int[] groups, int count) {
    return count == GROUPS ? IpAddress.ipv6(join(groups, 0), join(groups, 4)) : null;
  }

  // `::` stands for at least one group.
  private static @Nullable IpAddress filled(int[] groups, int count, int gap) {
    if (count == GROUPS) {
      return null;
    }
    int[] all = new int[GROUPS];
    System.arraycopy(groups, 0, all, 0, gap);
    System.arraycopy(groups, gap, all, GROUPS - (count - gap), count - gap);
    return IpAddress.ipv6(join(all, 0), join(all, 4));
  }

  private static long join(int[] groups, int from) {
    return (long) groups[from] << 48
        | (long) groups[from + 1] << 32
        | (long) groups[from + 2] << 16
        | groups[from + 3];
  }

  private static int hexEnd(String text, int from) {
    int end = from;
    while (end < text.length() && isHex(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHex(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }
}
