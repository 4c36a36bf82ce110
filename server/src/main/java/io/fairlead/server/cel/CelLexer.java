package io.fairlead.server.cel;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Cuts the text of an expression into words.
final class CelLexer {
  private static final List<String> SIGNS =
      List.of(
          "&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ".",
          ",", "(", ")", "[", "]", "{", "}");
  private static final BigInteger UNSIGNED_MAX =
      BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private final String text;
  private int at;

  private CelLexer(String text) {
    this.text = text;
  }

  /// What a word is.
  enum Kind {
    SIGN,
    IDENT,
    /// A number, text or bytes; the value is what it stands for.
    VALUE,
    END
  }

  record Token(Kind kind, String text, Object value, int at) {
    boolean is(String sign) {
      return kind == Kind.SIGN && text.equals(sign);
    }
  }

  static List<Token> tokens(String text) {
    CelLexer lexer = new CelLexer(text);
    List<Token> tokens = new ArrayList<>();
    Token token;
    do {
      token = lexer.next();
      tokens.add(token);
    } while (token.kind() != Kind.END);
    return tokens;
  }

  private Token next() {
    skipBlanks();
    int begin = at;
    if (at >= text.length()) {
      return new Token(Kind.END, "<EOF>", "", begin);
    }
    char c = text.charAt(at);
    if (Character.isDigit(c)
        || (c == '.' && at + 1 < text.length() && Character.isDigit(text.charAt(at + 1)))) {
      return new Token(Kind.VALUE, text.substring(begin, at), number(), begin);
    }
    if (startsText()) {
      return new Token(Kind.VALUE, "text", quoted(), begin);
    }
    if (isLetter(c)) {
      while (at < text.length()
          && (isLetter(text.charAt(at)) || Character.isDigit(text.charAt(at)))) {
        at++;
      }
      return new Token(Kind.IDENT, text.substring(begin, at), "", begin);
    }
    for (String sign : SIGNS) {
      if (text.startsWith(sign, at)) {
        at += sign.length();
        return new Token(Kind.SIGN, sign, "", begin);
      }
    }
    throw fault(begin, "token recognition error at: '" + c + "'");
  }

  private void skipBlanks() {
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else if (text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else {
        return;
      }
    }
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private CelCompileException fault(int place, String why) {
    return CelCompileException.at(text, place, "Syntax error: " + why);
  }

  private Object number() {
    int begin = at;
    boolean hex = text.startsWith("0x", at) || text.startsWith("0X", at);
    if (hex) {
      at += 2;
    }
    boolean fraction = false;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (hex ? Character.digit(c, 16) >= 0 : Character.isDigit(c)) {
        at++;
      } else if (!hex
          && c == '.'
          && !fraction
          && at + 1 < text.length()
          && Character.isDigit(text.charAt(at + 1))) {
        fraction = true;
        at++;
      } else if (!hex && (c == 'e' || c == 'E')) {
        fraction = true;
        at++;
        if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
          at++;
        }
      } else {
        break;
      }
    }
    String digits = text.substring(begin + (hex ? 2 : 0), at);
    try {
      if (fraction) {
        return Double.valueOf(digits);
      }
      BigInteger whole = new BigInteger(digits, hex ? 16 : 10);
      if (at < text.length() && (text.charAt(at) == 'u' || text.charAt(at) == 'U')) {
        at++;
        if (whole.compareTo(UNSIGNED_MAX) > 0) {
          throw fault(begin, "invalid uint literal");
        }
        return new CelUint(whole.longValue());
      }
      // The least of all numbers is written with a minus before one that is too large.
      if (whole.bitLength() > 63 && !whole.equals(BigInteger.ONE.shiftLeft(63))) {
        throw fault(begin, "invalid int literal");
      }
      return whole.longValue();
    } catch (NumberFormatException e) {
      throw fault(begin, "invalid number literal");
    }
  }

  private boolean startsText() {
    int place = at;
    for (int prefix = 0; prefix < 2 && place < text.length(); prefix++) {
      if ("rRbB".indexOf(text.charAt(place)) >= 0) {
        place++;
      }
    }
    return place < text.length() && (text.charAt(place) == '\'' || text.charAt(place) == '"');
  }

  private Object quoted() {
    int begin = at;
    boolean raw = false;
    boolean bytes = false;
    while (text.charAt(at) != '\'' && text.charAt(at) != '"') {
      raw |= Character.toLowerCase(text.charAt(at)) == 'r';
      bytes |= Character.toLowerCase(text.charAt(at)) == 'b';
      at++;
    }
    String quote = text.substring(at, at + 1);
    if (text.startsWith(quote.repeat(3), at)) {
      quote = quote.repeat(3);
    }
    at += quote.length();
    StringBuilder value = new StringBuilder();
    while (!text.startsWith(quote, at)) {
      if (at >= text.length() || (quote.length() == 1 && text.charAt(at) == '\n')) {
        throw fault(begin, "token recognition error at: '" + quote + "'");
      }
      if (text.charAt(at) == '\\' && !raw) {
        escape(value, begin);
      } else {
        value.append(text.charAt(at));
        at++;
      }
    }
    at += quote.length();
    return bytes
        ? new CelBytes(value.toString().getBytes(StandardCharsets.UTF_8))
        : value.toString();
  }

  private void escape(StringBuilder value, int begin) {
    at++;
    char c = at < text.length() ? text.charAt(at) : ' ';
    at++;
    switch (c) {
      case 'n' -> value.append('\n');
      case 't' -> value.append('\t');
      case 'r' -> value.append('\r');
      case 'a' -> value.append('\u0007');
      case 'b' -> value.append('\b');
      case 'f' -> value.append('\f');
      case 'v' -> value.append('\u000b');
      case '\\', '\'', '"', '`', '?' -> value.append(c);
      case 'x', 'X' -> value.appendCodePoint(code(2, 16, begin));
      case 'u' -> value.appendCodePoint(code(4, 16, begin));
      case 'U' -> value.appendCodePoint(code(8, 16, begin));
      case '0', '1', '2', '3' -> {
        at--;
        value.appendCodePoint(code(3, 8, begin));
      }
      default -> throw fault(begin, "token recognition error at: '\\" + c + "'");
    }
  }

  private int code(int digits, int base, int begin) {
    if (at + digits <= text.length()) {
      try {
        int code = Integer.parseInt(text.substring(at, at + digits), base);
        at += digits;
        if (Character.isValidCodePoint(code)) {
          return code;
        }
      } catch (NumberFormatException e) {
        throw fault(begin, "invalid escape");
      }
    }
    throw fault(begin, "invalid escape");
  }
}
