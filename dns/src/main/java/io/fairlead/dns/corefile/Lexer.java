package io.fairlead.dns.corefile;

import io.fairlead.dns.plugin.SetupException;
import java.util.ArrayList;
import java.util.List;

/// Splits the text of a Corefile into words.
///
/// How it works: words are separated by blanks. A quote at the start of a word runs to the next
/// quote and may hold blanks and line ends; `\"` is the only escape. `#` starts a comment wherever
/// it stands outside quotes, even inside a word. Carriage returns and a byte order mark are
/// skipped.
final class Lexer {
  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final String file;
  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private int line = 1;
  private int lastLine;
  private int at;

  private Lexer(String file, String text) {
    this.file = file;
    this.text = text;
  }

  static List<Token> tokens(String file, String text) throws SetupException {
    Lexer lexer = new Lexer(file, text);
    lexer.run();
    return lexer.tokens;
  }

  private void run() throws SetupException {
    if (!text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) {
      at = 1;
    }
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        skipComment();
      } else if (c == '\r') {
        at++;
      } else if (Character.isWhitespace(c)) {
        endWord();
        line += c == '\n' ? 1 : 0;
        at++;
      } else if (c == '"' && word.isEmpty()) {
        quoted();
      } else {
        word.append(c);
        at++;
      }
    }
    endWord();
  }

  private void skipComment() {
    while (at < text.length() && text.charAt(at) != '\n') {
      at++;
    }
  }

  private void endWord() {
    if (!word.isEmpty()) {
      add(line, false);
    }
  }

  private void add(int start, boolean quoted) {
    tokens.add(new Token(file, start, start > lastLine, word.toString(), quoted));
    word.setLength(0);
    lastLine = line;
  }

  private void quoted() throws SetupException {
    int start = line;
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at);
      boolean escape = c == '\\' && at + 1 < text.length() && text.charAt(at + 1) == '"';
      if (escape) {
        at++;
        c = '"';
      }
      line += c == '\n' ? 1 : 0;
      word.append(c);
      at++;
    }
    if (at >= text.length()) {
      throw new SetupException(
          file, start, "The quote opened here is never closed; add the missing \"");
    }
    at++;
    add(start, true);
  }
}
