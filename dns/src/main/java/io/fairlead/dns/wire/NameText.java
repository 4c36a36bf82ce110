package io.fairlead.dns.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Names as text (RFC 1035 5.1, RFC 4343 2.1).
final class NameText {
  private static final String SPECIAL = ".\\\"();@$";

  private NameText() {}

  static @Nullable Name parse(String text) {
    if (text.isEmpty() || text.equals(".")) {
      return text.isEmpty() ? null : Name.ROOT;
    }
    byte[] wire = new byte[Name.LONGEST];
    int labelAt = 0;
    int at = 1;
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '.') {
        int length = at - labelAt - 1;
        if (length == 0 || at >= Name.LONGEST) {
          return null;
        }
        wire[labelAt] = (byte) length;
        labelAt = at++;
        i++;
        continue;
      }
      int value = c;
      int used = 1;
      if (c == '\\') {
        used = escapeLength(text, i);
        value = used == 0 ? -1 : escaped(text, i, used);
      }
      if (value < 0 || value > 255 || at - labelAt > Name.LONGEST_LABEL || at >= Name.LONGEST) {
        return null;
      }
      wire[at++] = (byte) value;
      i += used;
    }
    int length = at - labelAt - 1;
    if (length > 0) {
      if (at >= Name.LONGEST) {
        return null;
      }
      wire[labelAt] = (byte) length;
      labelAt = at++;
    }
    wire[labelAt] = 0;
    return Name.ofWire(Arrays.copyOf(wire, at), 0, at);
  }

  private static int escapeLength(String text, int at) {
    if (at + 1 >= text.length()) {
      return 0;
    }
    return isDigit(text.charAt(at + 1)) ? (at + 3 < text.length() ? 4 : 0) : 2;
  }

  private static int escaped(String text, int at, int used) {
    if (used == 2) {
      return text.charAt(at + 1);
    }
    int value = 0;
    for (int i = 1; i <= 3; i++) {
      char digit = text.charAt(at + i);
      if (!isDigit(digit)) {
        return -1;
      }
      value = value * 10 + digit - '0';
    }
    return value;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static String print(byte[] wire) {
    if (wire.length == 1) {
      return ".";
    }
    StringBuilder text = new StringBuilder(wire.length);
    for (int at = 0; wire[at] != 0; at += wire[at] + 1) {
      append(text, wire, at + 1, wire[at]);
      text.append('.');
    }
    return text.toString();
  }

  static void append(StringBuilder text, byte[] wire, int from, int length) {
    for (int i = from; i < from + length; i++) {
      int c = wire[i] & 0xff;
      if (c < 33 || c > 126) {
        text.append('\\').append((char) ('0' + c / 100));
        text.append((char) ('0' + c / 10 % 10)).append((char) ('0' + c % 10));
      } else {
        if (SPECIAL.indexOf(c) >= 0) {
          text.append('\\');
        }
        text.append((char) c);
      }
    }
  }
}
