package io.fairlead.api.json;

/// Says where a text stops being JSON, in the words of Go's `encoding/json`: `invalid character '}'
/// looking for beginning of value`.
///
/// How it works: a scan by recursive descent that ends at the first byte that cannot be. It builds
/// nothing and runs only for bodies that a parser has refused.
public final class JsonSyntax {
  private static final String END = "unexpected end of JSON input";
  private static final String BEGINNING = "looking for beginning of value";
  private static final String KEY = "looking for beginning of object key string";

  private final byte[] text;
  private int at;

  private JsonSyntax(byte[] text) {
    this.text = text;
  }

  /// What is wrong, or an empty text when these bytes are JSON.
  public static String problem(byte[] text) {
    JsonSyntax scan = new JsonSyntax(text);
    try {
      scan.value(0);
      if (scan.blanks()) {
        scan.unexpected("after top-level value");
      }
      return "";
    } catch (DecodeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void value(int depth) {
    if (depth > Json.MAX_DEPTH) {
      throw new DecodeException("exceeded max depth");
    }
    switch (nextByte()) {
      case '{' -> object(depth);
      case '[' -> list(depth);
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> unexpected(BEGINNING);
    }
  }

  private void object(int depth) {
    at++;
    if (nextByte() == '}') {
      at++;
      return;
    }
    while (true) {
      if (nextByte() != '"') {
        unexpected(KEY);
      }
      string();
      if (nextByte() != ':') {
        unexpected("after object key");
      }
      at++;
      value(depth + 1);
      int next = nextByte();
      if (next != ',' && next != '}') {
        unexpected("after object key:value pair");
      }
      at++;
      if (next == '}') {
        return;
      }
    }
  }

  private void list(int depth) {
    at++;
    if (nextByte() == ']') {
      at++;
      return;
    }
    while (true) {
      value(depth + 1);
      int next = nextByte();
      if (next != ',' && next != ']') {
        unexpected("after array element");
      }
      at++;
      if (next == ']') {
        return;
      }
    }
  }

  private void string() {
    at++;
    while (current() != '"') {
      if (current() >= 0 && current() < ' ') {
        unexpected("in string literal");
      }
      if (current() == '\\') {
        at++;
        escape();
      }
      at++;
    }
    at++;
  }

  private void escape() {
    if (current() == 'u') {
      for (int digit = 0; digit < 4; digit++) {
        at++;
        if (Character.digit(current(), 16) < 0) {
          unexpected("in \\u hexadecimal character escape");
        }
      }
    } else if ("bfnrt\\/\"".indexOf(current()) < 0) {
      unexpected("in string escape code");
    }
  }

  private void number() {
    if (current() == '-') {
      at++;
      digit("in numeric literal");
    }
    if (current() == '0') {
      at++;
    } else {
      digits();
    }
    if (at < text.length && text[at] == '.') {
      at++;
      digit("after decimal point in numeric literal");
      digits();
    }
    if (at < text.length && (text[at] == 'e' || text[at] == 'E')) {
      at++;
      if (current() == '+' || current() == '-') {
        at++;
      }
      digit("in exponent of numeric literal");
      digits();
    }
  }

  private void digit(String where) {
    if (current() < '0' || current() > '9') {
      unexpected(where);
    }
  }

  private void digits() {
    while (at < text.length && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
  }

  private void literal(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (current() != word.charAt(i)) {
        unexpected("in literal " + word + " (expecting " + quoted(word.charAt(i)) + ")");
      }
      at++;
    }
  }

  /// Whether something follows the blanks.
  private boolean blanks() {
    while (at < text.length
        && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')) {
      at++;
    }
    return at < text.length;
  }

  private int nextByte() {
    blanks();
    return current();
  }

  private int current() {
    if (at >= text.length) {
      throw new DecodeException(END);
    }
    return text[at] & 0xff;
  }

  private void unexpected(String where) {
    throw new DecodeException("invalid character " + quoted((char) current()) + " " + where);
  }

  private static String quoted(char c) {
    return switch (c) {
      case '\'' -> "'\\''";
      case '\\' -> "'\\\\'";
      case '\n' -> "'\\n'";
      case '\r' -> "'\\r'";
      case '\t' -> "'\\t'";
      default -> c < ' ' || c == 0x7f ? "'\\x%02x'".formatted((int) c) : "'" + c + "'";
    };
  }
}
