package io.fairlead.proxy.config;

import org.jspecify.annotations.Nullable;

/// The ports listeners may have.
///
/// @param first 0 for any the kernel likes
/// @param last inclusive
public record ProxyPortRange(int first, int last) {
  private static final int MOST = 65_535;

  public ProxyPortRange {
    if (first < 0 || last < first || last > MOST) {
      throw new IllegalArgumentException("not a range of ports: " + first + "-" + last);
    }
  }

  public static ProxyPortRange any() {
    return new ProxyPortRange(0, 0);
  }

  /// Reads `20000-29999`, `20000+9999` or one port; empty, `0` and `0-0` mean any. Null when it is
  /// none of these.
  public static @Nullable ProxyPortRange parseOrNull(String text) {
    String trimmed = text.strip();
    if (trimmed.isEmpty()) {
      return any();
    }
    int dash = trimmed.indexOf('-');
    int plus = trimmed.indexOf('+');
    int cut = Math.max(dash, plus);
    try {
      int first = Integer.parseInt(cut < 0 ? trimmed : trimmed.substring(0, cut).strip());
      int second = cut < 0 ? first : Integer.parseInt(trimmed.substring(cut + 1).strip());
      return new ProxyPortRange(first, plus >= 0 ? first + second : second);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  public boolean isAny() {
    return first == 0;
  }

  public int size() {
    return last - first + 1;
  }
}
