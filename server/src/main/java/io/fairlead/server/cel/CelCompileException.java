package io.fairlead.server.cel;

/// An expression that cannot be used; the message says where and why, over several lines.
public final class CelCompileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CelCompileException(String message) {
    super(message);
  }

  /// A fault at a place of the text: `ERROR: <input>:1:5: undefined field 'b'` and the line with a
  /// mark under that place.
  static CelCompileException at(String text, int offset, String why) {
    int begin = offset == 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
    int end = text.indexOf('\n', begin);
    String line = text.substring(begin, end < 0 ? text.length() : end);
    long number = text.substring(0, begin).chars().filter(c -> c == '\n').count() + 1;
    int column = offset - begin;
    return new CelCompileException(
        "ERROR: <input>:"
            + number
            + ":"
            + (column + 1)
            + ": "
            + why
            + "\n | "
            + line
            + "\n | "
            + ".".repeat(column)
            + "^");
  }
}
