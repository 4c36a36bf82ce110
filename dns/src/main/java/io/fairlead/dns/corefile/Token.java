package io.fairlead.dns.corefile;

/// One word of a Corefile, and where it stands.
///
/// @param file the name shown in errors
/// @param line of the first character, counted from 1
/// @param startsLine whether no other word stands before it on its line
/// @param quoted whether the word stood in quotes, so that `"{"` is text and not a brace
record Token(String file, int line, boolean startsLine, String text, boolean quoted) {
  boolean is(String word) {
    return !quoted && text.equals(word);
  }

  Token withText(String newText) {
    return new Token(file, line, startsLine, newText, quoted);
  }

  Token startingLine() {
    return startsLine ? this : new Token(file, line, true, text, quoted);
  }
}
