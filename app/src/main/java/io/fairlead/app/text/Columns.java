package io.fairlead.app.text;

import java.util.List;

/// Widths on a terminal: wide (CJK) characters take two columns.
public final class Columns {
  private Columns() {}

  /// How many columns a text takes.
  public static int width(String text) {
    int width = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      width += wide(c) ? 2 : Character.getType(c) == Character.NON_SPACING_MARK ? 0 : 1;
      i += Character.charCount(c);
    }
    return width;
  }

  /// How much of a text fits so many columns, broken at a blank where there is one in the second
  /// half.
  public static int fitting(String text, int columns) {
    int width = 0;
    int blank = 0;
    int i = 0;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      width += width(Character.toString(c));
      if (width > columns) {
        return blank > i / 2 ? blank : i;
      }
      i += Character.charCount(c);
      blank = c == ' ' ? i : blank;
    }
    return i;
  }

  /// The text with blanks up to `columns`; a longer text stays whole.
  public static String pad(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - width(text)));
  }

  /// Rows in columns two blanks apart, each line starting with `indent`, no blanks at line ends.
  public static String table(String indent, List<List<String>> rows) {
    int count = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[count];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], width(row.get(i)));
      }
    }
    StringBuilder table = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < row.size(); i++) {
        line.append(pad(row.get(i), widths[i] + 2));
      }
      table.append(line.toString().stripTrailing()).append('\n');
    }
    return table.toString();
  }

  /// East Asian Wide and Fullwidth blocks that occur in Chinese text (Unicode UAX 11).
  private static boolean wide(int c) {
    return (c >= 0x1100 && c <= 0x115F)
        || (c >= 0x2E80 && c <= 0xA4CF)
        || (c >= 0xAC00 && c <= 0xD7A3)
        || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0xFE30 && c <= 0xFE4F)
        || (c >= 0xFF00 && c <= 0xFF60)
        || (c >= 0xFFE0 && c <= 0xFFE6)
        || (c >= 0x1F300 && c <= 0x1FAFF)
        || (c >= 0x20000 && c <= 0x3FFFD);
  }
}
