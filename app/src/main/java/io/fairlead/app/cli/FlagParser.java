package io.fairlead.app.cli;

import io.fairlead.api.names.NearestName;
import io.fairlead.app.text.Phrase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Splits the words after a verb into flags and operands.
///
/// `--name=value` and `--name value` set a flag, as do `-o=value` and `-o value` for one with a
/// letter. Flags that are true or false need no value, and take the next word only when it is
/// `true` or `false`. The last of several counts; a list grows. Behind `--` there are only
/// operands.
///
/// The program reads about ten words with it, so it is made for a quick start: a library for
/// command lines took 0.1 s to load.
final class FlagParser {
  /// @param given the values by flag
  /// @param ignored flags of the original that have no effect
  record ParsedLine(
      Map<String, String> given, List<String> operands, List<Arguments.Ignored> ignored) {
    ParsedLine(Map<String, String> given, List<String> operands) {
      this(given, operands, List.of());
    }
  }

  /// How long a flag means that waits and says no time.
  private static final String IMPLIED_TIME = "60s";

  private final Verb verb;
  private final Map<String, Flag> known = new HashMap<>();
  private final Map<String, String> given = new HashMap<>();
  private final List<String> operands = new ArrayList<>();
  private final List<Arguments.Ignored> ignored = new ArrayList<>();
  private final List<String> words;
  private int next;

  private FlagParser(Verb verb, List<String> words) {
    this.verb = verb;
    this.words = words;
    verb.allFlags()
        .forEach(
            flag -> {
              known.putIfAbsent(dashed(flag), flag);
              if (!flag.shortName().isEmpty()) {
                known.putIfAbsent("-" + flag.shortName(), flag);
              }
            });
  }

  /// Throws [FairleadException] for a flag that the verb does not have, or that misses its value.
  static ParsedLine parse(Verb verb, List<String> words) {
    return new FlagParser(verb, words).parse();
  }

  /// `--name`, or `-n` for a name of one letter.
  static String dashed(Flag flag) {
    return (flag.name().length() == 1 ? "-" : "--") + flag.name();
  }

  private ParsedLine parse() {
    String unknown = "";
    while (next < words.size()) {
      String word = words.get(next++);
      int equals = word.indexOf('=');
      Flag flag = known.get(equals < 0 ? word : word.substring(0, equals));
      if (word.equals("--")) {
        operands.addAll(words.subList(next, words.size()));
        next = words.size();
      } else if (flag != null) {
        put(flag, equals < 0 ? following(flag) : word.substring(equals + 1));
      } else if (isForeign(word, equals)) {
        continue;
      } else if (!looksLikeFlag(word)) {
        operands.add(word);
      } else if (unknown.isEmpty()) {
        unknown = word;
      }
    }
    // Last, so that a missing value further on is reported first.
    if (!unknown.isEmpty()) {
      throw unknown(unknown);
    }
    return new ParsedLine(given, operands, ignored);
  }

  /// Takes a flag of the original that has no effect here, and its value.
  private boolean isForeign(String word, int equals) {
    if (!word.startsWith("--")) {
      return false;
    }
    String name = equals < 0 ? word.substring(2) : word.substring(2, equals);
    ForeignFlags.ForeignFlag foreign = ForeignFlags.of(verb.name()).get(name);
    if (foreign == null) {
      return false;
    }
    if (foreign.refused()) {
      throw new FairleadException(
          ErrorCode.FL301, verb.name(), "--" + name, Phrase.of("FL301." + foreign.reason()));
    }
    if (equals < 0 && foreign.valued() && next < words.size()) {
      next++;
    } else if (equals < 0 && !foreign.valued() && next < words.size()) {
      next += words.get(next).equals("true") || words.get(next).equals("false") ? 1 : 0;
    }
    ignored.add(new Arguments.Ignored("--" + name, foreign.reason()));
    return true;
  }

  private void put(Flag flag, String value) {
    switch (flag.kind()) {
      case LIST -> given.merge(flag.name(), value, (before, now) -> before + "," + now);
      case REPEATED -> given.merge(flag.name(), value, (before, now) -> before + " " + now);
      default -> given.put(flag.name(), value);
    }
  }

  /// The value of a flag without `=`.
  private String following(Flag flag) {
    if (flag.isValueOptional()) {
      return IMPLIED_TIME;
    }
    String word = next < words.size() ? words.get(next) : "--";
    if (flag.kind() == Flag.Kind.SWITCH || flag.value().equals("true|false")) {
      boolean spelled = word.equals("true") || word.equals("false");
      next += spelled ? 1 : 0;
      return spelled ? word : "true";
    }
    if (word.equals("--") || isKnown(word)) {
      throw new FairleadException(ErrorCode.FL302, verb.name(), dashed(flag));
    }
    next++;
    return word;
  }

  /// Whether a word is one of the flags, or begins like one with a letter.
  private boolean isKnown(String word) {
    int equals = word.indexOf('=');
    return known.containsKey(equals < 0 ? word : word.substring(0, equals))
        || (word.length() > 2 && known.containsKey(word.substring(0, 2)));
  }

  /// A single dash means standard input or output in many programs, `-5` is a number, and `->` an
  /// arrow.
  private static boolean looksLikeFlag(String word) {
    return word.length() > 1
        && word.startsWith("-")
        && !Character.isDigit(word.charAt(1))
        && !word.equals("->");
  }

  private FairleadException unknown(String word) {
    String typed = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
    Phrase hint =
        NearestName.to(typed, verb.allFlags().map(FlagParser::dashed))
            .map(near -> Phrase.of("FL301.near", verb.name(), near))
            .orElse(Phrase.of("FL301.far", verb.name()));
    return new FairleadException(ErrorCode.FL301, verb.name(), typed, hint);
  }
}
