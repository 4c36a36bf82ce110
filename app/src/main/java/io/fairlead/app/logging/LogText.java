package io.fairlead.app.logging;

import java.util.Locale;

/// Makes text from anywhere fit for a log: it cannot begin a line of its own, move the cursor of a
/// terminal or show itself in another order.
final class LogText {
  private LogText() {}

  /// The text with control and format characters escaped, as in `\\u001b`.
  ///
  /// @param kept characters to leave as they are
  static String escaped(String text, String kept) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isHidden(c) && kept.indexOf(c) < 0) {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  /// A stack trace in which lines that come from a message are indented.
  static String trace(String trace) {
    StringBuilder out = new StringBuilder(trace.length());
    for (String line : trace.lines().toList()) {
      boolean own =
          out.isEmpty()
              || line.startsWith("\t")
              || line.startsWith("Caused by: ")
              || line.startsWith("Suppressed: ");
      out.append(own ? "" : "\t| ").append(escaped(line, "\t")).append('\n');
    }
    return out.toString();
  }

  private static boolean isHidden(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
