package io.fairlead.dns.zonefile;

import java.util.ArrayList;
import java.util.List;

/// Splits the text of a master file into entries: words, quotes, comments and parentheses.
final class MasterFileEntryReader {
  private final String text;
  private final List<MasterFileEntry> entries = new ArrayList<>();
  private List<MasterFileEntry.Word> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean blankOwner;
  private boolean lineStart = true;
  private int line = 1;
  private int entryLine = 1;
  private int open;
  private int at;

  private MasterFileEntryReader(String text) {
    this.text = text;
  }

  static List<MasterFileEntry> read(String text) throws ZoneFileException {
    MasterFileEntryReader reader = new MasterFileEntryReader(text);
    reader.run();
    return reader.entries;
  }

  private void run() throws ZoneFileException {
    for (at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      boolean first = lineStart;
      lineStart = false;
      switch (c) {
        case '\n' -> endLine();
        case ' ', '\t', '\r' -> {
          endWord();
          if (first && words.isEmpty() && open == 0) {
            blankOwner = true;
          }
        }
        case ';' -> {
          endWord();
          skipComment();
        }
        case '(' -> {
          endWord();
          open++;
        }
        case ')' -> {
          endWord();
          if (--open < 0) {
            throw new ZoneFileException(line, "')' without '('");
          }
        }
        case '"' -> quoted();
        default -> letter(c);
      }
    }
    if (open > 0) {
      throw new ZoneFileException(entryLine, "'(' is never closed");
    }
    endLine();
  }

  private void letter(char c) {
    begin();
    word.append(c);
    if (c == '\\' && at + 1 < text.length() && text.charAt(at + 1) != '\n') {
      word.append(text.charAt(++at));
    }
  }

  private void begin() {
    if (words.isEmpty() && word.isEmpty()) {
      entryLine = line;
    }
  }

  private void quoted() throws ZoneFileException {
    endWord();
    begin();
    int start = line;
    for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
      char c = text.charAt(at);
      line += c == '\n' ? 1 : 0;
      word.append(c);
      if (c == '\\' && at + 1 < text.length()) {
        word.append(text.charAt(++at));
      }
    }
    if (at >= text.length()) {
      throw new ZoneFileException(start, "the quote is never closed");
    }
    words.add(new MasterFileEntry.Word(word.toString(), true));
    word.setLength(0);
  }

  private void skipComment() {
    while (at + 1 < text.length() && text.charAt(at + 1) != '\n') {
      at++;
    }
  }

  private void endWord() {
    if (!word.isEmpty()) {
      words.add(new MasterFileEntry.Word(word.toString(), false));
      word.setLength(0);
    }
  }

  private void endLine() {
    endWord();
    if (open == 0) {
      if (!words.isEmpty()) {
        entries.add(new MasterFileEntry(entryLine, blankOwner, words));
        words = new ArrayList<>();
      }
      blankOwner = false;
      lineStart = true;
    }
    line++;
  }
}
