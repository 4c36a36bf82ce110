package io.fairlead.api.net;

/// Prints addresses in their canonical form: dotted decimals, and RFC 5952 for IPv6 (lower case, no
/// leading zeros, the first longest run of at least two zero groups as `::`).
final class AddressPrinter {
  private static final int GROUPS = 8;

  private AddressPrinter() {}

  static String print(IpAddress address) {
    if (address.isIpv4()) {
      return dotted(address.low());
    }
    if (address.isIpv4Mapped()) {
      return "::ffff:" + dotted(address.low());
    }
    int start = -1;
    int length = 1;
    for (int i = 0; i < GROUPS; i++) {
      int end = i;
      while (end < GROUPS && group(address, end) == 0) {
        end++;
      }
      if (end - i > length) {
        start = i;
        length = end - i;
      }
      i = Math.max(i, end - 1);
    }
    StringBuilder text = new StringBuilder(39);
    for (int i = 0; i < GROUPS; i++) {
      if (i == start) {
        text.append("::");
        i += length - 1;
        continue;
      }
      if (i > 0 && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(group(address, i)));
    }
    return text.toString();
  }

  private static int group(IpAddress address, int index) {
    long part = index < 4 ? address.high() : address.low();
    return (int) (part >>> (16 * (3 - index % 4))) & 0xffff;
  }

  private static String dotted(long bits) {
    return (bits >>> 24 & 0xff)
        + "."
        + (bits >>> 16 & 0xff)
        + "."
        + (bits >>> 8 & 0xff)
        + "."
        + (bits & 0xff);
  }
}
