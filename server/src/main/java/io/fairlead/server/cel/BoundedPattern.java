package io.fairlead.server.cel;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/// Compiles regular expressions that users wrote, if they are not too large.
///
/// How it works: RE2 needs no time to speak of for matching, but it copies what is repeated, and
/// both its compiler and its matcher go down one call for each group and each choice.
/// `((a{1000}){1000}){1000}` would need more memory than there is, `((a{0,10}){0,10}){0,10}` more
/// stack. So the copies are counted before anything is compiled, by the rules of Go's regexp where
/// it has some: nested repetitions stand for a thousand copies at most.
public final class BoundedPattern {
  private static final int MOST_REPEATED = 1000;
  private static final int DEEPEST = 200;
  private static final int MOST_PARTS = 20_000;
  private static final int MOST_CHOICES = 2000;

  /// What a class of Unicode characters weighs: some have hundreds of ranges.
  private static final int UNICODE_CLASS = 20;

  /// What a part of an expression becomes when its repetitions are written out.
  ///
  /// @param parts characters and classes
  /// @param choices groups, alternatives and what may be left out or repeated
  /// @param repeated how often its innermost part stands there
  private record Weight(long parts, long choices, long repeated) {
    static final Weight NOTHING = new Weight(0, 0, 1);

    Weight plus(Weight other) {
      return new Weight(
          parts + other.parts, choices + other.choices, Math.max(repeated, other.repeated));
    }
  }

  /// A group that is open: what stands before its last part, and that part.
  private static final class Level {
    private Weight before = Weight.NOTHING;
    private Weight last = Weight.NOTHING;

    void add(Weight part) {
      before = before.plus(last);
      last = part;
    }

    Weight whole() {
      return before.plus(last);
    }
  }

  private final String text;
  private final Deque<Level> levels = new ArrayDeque<>();
  private int at;

  private BoundedPattern(String text) {
    this.text = text;
    levels.push(new Level());
  }

  /// Compiles one.
  ///
  /// @throws PatternSyntaxException when it is none, or too large
  public static Pattern compile(String text) {
    long _ = parts(text);
    return Pattern.compile(text);
  }

  /// Of how many characters and classes it consists when its repetitions are written out, for those
  /// who compile many.
  ///
  /// @throws PatternSyntaxException when it is too large
  public static long parts(String text) {
    BoundedPattern pattern = new BoundedPattern(text);
    pattern.check();
    return pattern.level().whole().parts();
  }

  private void check() {
    while (at < text.length()) {
      char c = text.charAt(at++);
      switch (c) {
        case '\\' -> escape();
        case '[' -> characterClass();
        case '(' -> open();
        case ')' -> close();
        case '|', '*', '+', '?' -> level().last = level().last.plus(new Weight(0, 1, 1));
        case '{' -> repetition();
        default -> level().add(new Weight(1, 0, 1));
      }
      Weight whole = level().whole();
      if (whole.parts() > MOST_PARTS || whole.choices() > MOST_CHOICES) {
        throw new PatternSyntaxException("expression too large", "");
      }
    }
  }

  private Level level() {
    return levels.element();
  }

  private void open() {
    if (levels.size() > DEEPEST) {
      throw new PatternSyntaxException("expression nests too deeply", "");
    }
    levels.push(new Level());
  }

  private void close() {
    if (levels.size() > 1) {
      Weight inner = levels.pop().whole();
      level().add(inner.plus(new Weight(2, 1, 1)));
    }
  }

  private void escape() {
    char escaped = at < text.length() ? text.charAt(at++) : ' ';
    if (escaped == 'Q') {
      int end = text.indexOf("\\E", at);
      int next = end < 0 ? text.length() : end;
      level().add(new Weight(next - at, 0, 1));
      at = Math.min(text.length(), next + 2);
      return;
    }
    if ((escaped == 'p' || escaped == 'P' || escaped == 'x') && startsWith("{")) {
      int end = text.indexOf('}', at);
      at = end < 0 ? text.length() : end + 1;
    }
    boolean unicode = escaped == 'p' || escaped == 'P';
    level().add(new Weight(unicode ? UNICODE_CLASS : 1, 0, 1));
  }

  private boolean startsWith(String start) {
    return text.startsWith(start, at);
  }

  /// To the bracket that ends it; the first one may be a character of the class.
  private void characterClass() {
    long weight = 1;
    if (startsWith("^")) {
      at++;
    }
    if (startsWith("]")) {
      at++;
    }
    while (at < text.length() && text.charAt(at) != ']') {
      char c = text.charAt(at++);
      if (c == '\\' && at < text.length()) {
        char escaped = text.charAt(at++);
        weight += escaped == 'p' || escaped == 'P' ? UNICODE_CLASS : 0;
      } else if (c == '[' && startsWith(":")) {
        int end = text.indexOf(":]", at);
        at = end < 0 ? at : end + 2;
      }
    }
    at = Math.min(text.length(), at + 1);
    level().add(new Weight(weight, 0, 1));
  }

  /// `{n}`, `{n,}` or `{n,m}`; anything else is a text.
  private void repetition() {
    int end = text.indexOf('}', at);
    String inside = end < 0 ? "" : text.substring(at, Math.min(end, at + 20));
    if (!inside.matches("[0-9]{1,9}(,[0-9]{0,9})?")) {
      level().add(new Weight(1, 0, 1));
      return;
    }
    at = end + 1;
    String[] bounds = inside.split(",", -1);
    long least = Long.parseLong(bounds[0]);
    boolean open = bounds.length > 1 && bounds[1].isEmpty();
    long most = bounds.length > 1 && !open ? Long.parseLong(bounds[1]) : least;
    long copies = Math.max(1, Math.max(least, most));
    Weight last = level().last;
    if (copies * last.repeated() > MOST_REPEATED) {
      throw new PatternSyntaxException("invalid repeat count", "{" + inside + "}");
    }
    long optional = open ? 1 : Math.max(0, most - least);
    level().last =
        new Weight(
            last.parts() * copies, last.choices() * copies + optional, last.repeated() * copies);
  }
}
