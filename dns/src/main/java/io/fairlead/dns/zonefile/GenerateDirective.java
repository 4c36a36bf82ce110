package io.fairlead.dns.zonefile;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The range and the marks of `$GENERATE FIRST-LAST[/STEP] LINE`, as BIND has it: in each line a
/// `$` becomes the number, `${OFFSET,WIDTH,BASE}` the number moved, padded and in another base
/// (`d`, `o`, `x`, `X`), and `\$` stays a dollar.
///
/// @param step at least 1
record GenerateDirective(long first, long last, long step) {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})(?:/(\\d{1,9}))?");
  private static final Pattern MARK = Pattern.compile("(-?\\d{1,9})(?:,(\\d{1,3})(?:,([doxX]))?)?");
  private static final int MOST_LINES = 65_536;
  private static final int WIDEST = 255;

  static GenerateDirective range(WordCursor words) throws ZoneFileException {
    String text = words.next();
    Matcher matcher = RANGE.matcher(text);
    if (!matcher.matches()) {
      throw words.problem("$GENERATE needs a range such as 1-10 or 0-100/2, not '" + text + "'");
    }
    long first = Long.parseLong(matcher.group(1));
    long last = Long.parseLong(matcher.group(2));
    long step = matcher.group(3) == null ? 1 : Long.parseLong(matcher.group(3));
    if (last < first || step < 1) {
      throw words.problem("the range " + text + " is empty");
    }
    if ((last - first) / step >= MOST_LINES) {
      throw words.problem("the range " + text + " makes more than " + MOST_LINES + " records");
    }
    return new GenerateDirective(first, last, step);
  }

  /// One word of the line, for one number.
  static String fill(String word, long number, WordCursor words) throws ZoneFileException {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      boolean more = i + 1 < word.length();
      if (c == '\\' && more && word.charAt(i + 1) == '$') {
        out.append('$');
        i++;
      } else if (c == '\\' && more) {
        out.append(c).append(word.charAt(++i));
      } else if (c == '$' && more && word.charAt(i + 1) == '{') {
        int close = word.indexOf('}', i);
        if (close < 0) {
          throw words.problem("${ is never closed in '" + word + "'");
        }
        out.append(mark(word.substring(i + 2, close), number, words));
        i = close;
      } else {
        out.append(c == '$' ? Long.toString(number) : String.valueOf(c));
      }
    }
    return out.toString();
  }

  private static String mark(String text, long number, WordCursor words) throws ZoneFileException {
    Matcher matcher = MARK.matcher(text);
    int width = 0;
    if (matcher.matches() && matcher.group(2) != null) {
      width = Integer.parseInt(matcher.group(2));
    }
    if (!matcher.matches() || width > WIDEST) {
      throw words.problem("'${" + text + "}' is not ${OFFSET,WIDTH,BASE} with base d, o, x or X");
    }
    long value = number + Long.parseLong(matcher.group(1));
    if (value < 0) {
      throw words.problem("'${" + text + "}' leads below zero");
    }
    String base = matcher.group(3) == null ? "d" : matcher.group(3);
    return String.format(Locale.ROOT, width == 0 ? "%" + base : "%0" + width + base, value);
  }
}
