package io.fairlead.dns.zonefile;

/// Times in master files: `3600` or `1h`, with the units w, d, h, m and s.
final class Ttl {
  private Ttl() {}

  /// Seconds; -1 when the text is no time.
  static int parse(String text) {
    long total = 0;
    long number = -1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9') {
        number = Math.max(0, number) * 10 + (c - '0');
      } else {
        int unit = unit(c);
        if (unit == 0 || number < 0) {
          return -1;
        }
        total += number * unit;
        number = -1;
      }
      if (number > Integer.MAX_VALUE || total > Integer.MAX_VALUE) {
        return -1;
      }
    }
    if (text.isEmpty()) {
      return -1;
    }
    total += Math.max(0, number);
    return total > Integer.MAX_VALUE ? -1 : (int) total;
  }

  private static int unit(char c) {
    return switch (c) {
      case 'w', 'W' -> 604_800;
      case 'd', 'D' -> 86_400;
      case 'h', 'H' -> 3_600;
      case 'm', 'M' -> 60;
      case 's', 'S' -> 1;
      default -> 0;
    };
  }
}
