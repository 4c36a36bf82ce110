package io.fairlead.insight.dump;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds `name=value`, `"name": "value"` and `Name: value` in free text, and takes the value out
/// where the name is that of a secret.
///
/// How it works: names are found by a pattern that looks at every character once, whatever the text
/// is: the writer of an annotation chooses what an administrator's archive is made of. Where a
/// value ends is decided by hand, since it may be quoted, and the quotes escaped once more.
final class SecretValueScanner {
  private static final Pattern ASSIGNED =
      Pattern.compile(
          "(?<![a-zA-Z0-9_.\\-])([a-zA-Z0-9_.\\-]++)(\\\\*+[\"']?\\s*+[=:]\\s*+|\\s++)");

  private SecretValueScanner() {}

  /// @param secret whether a value of that name is one
  /// @param whole whether all that follows in the line belongs to it, as in a header
  static String clean(String text, Predicate<String> secret, Predicate<String> whole) {
    StringBuilder out = new StringBuilder(text.length());
    Matcher names = ASSIGNED.matcher(text);
    int at = 0;
    int search = 0;
    while (search < text.length() && names.find(search)) {
      search = names.end();
      String name = names.group(1);
      boolean assigned = !names.group(2).isBlank();
      // `--token abc`: only a flag has its value behind a blank.
      if (!(assigned || name.startsWith("--")) || !secret.test(name)) {
        search = assigned ? search : names.end(1);
        continue;
      }
      int begin = unquoted(text, search);
      int end = end(text, search, begin, whole.test(name));
      if (end > begin) {
        out.append(text, at, begin).append(Redaction.MARK);
        at = end;
      }
      search = Math.max(end, search);
    }
    return out.append(text, at, text.length()).toString();
  }

  /// Behind the quote, if there is one.
  private static int unquoted(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) == '\\') {
      at++;
    }
    return at < text.length() && isQuote(text.charAt(at)) ? at + 1 : from;
  }

  private static boolean isQuote(char c) {
    return c == '"' || c == '\'';
  }

  private static int end(String text, int from, int begin, boolean whole) {
    if (begin == from) {
      return bareEnd(text, begin, whole);
    }
    char quote = text.charAt(begin - 1);
    boolean escapedQuotes = text.charAt(from) == '\\';
    for (int at = begin; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\\' && !escapedQuotes) {
        at++;
      } else if (c == quote) {
        int end = at;
        while (escapedQuotes && end > begin && text.charAt(end - 1) == '\\') {
          end--;
        }
        return end;
      }
    }
    return text.length();
  }

  private static int bareEnd(String text, int begin, boolean whole) {
    int at = begin;
    while (at < text.length() && !endsBare(text.charAt(at), whole)) {
      at++;
    }
    return at;
  }

  private static boolean endsBare(char c, boolean whole) {
    return whole
        ? c == '\r' || c == '\n' || c == '"'
        : Character.isWhitespace(c) || c == '"' || c == ',' || c == ';';
  }
}
