package io.fairlead.dns.rewrite;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.fairlead.dns.wire.Name;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How a rule recognises a name, and what it makes of it. Names are compared in lower case with
/// their last dot.
sealed interface NameMatch {
  /// The new text, or null when the name does not fit.
  ///
  /// @param to may hold `{1}` for groups of a regular expression
  @Nullable String replace(String name, String to);

  default boolean fits(Name name) {
    return replace(text(name), "") != null;
  }

  static String text(Name name) {
    return name.toString().toLowerCase(Locale.ROOT);
  }

  static String absolute(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower : lower + ".";
  }

  /// IllegalArgumentException when a regular expression cannot be read.
  static NameMatch of(String kind, String from) {
    return switch (kind) {
      case "exact" -> new Exact(absolute(from));
      case "prefix" -> new Prefix(from.toLowerCase(Locale.ROOT));
      case "suffix" -> new Suffix(absolute(from));
      case "substring" -> new Substring(from.toLowerCase(Locale.ROOT));
      case "regex" -> new Regex(pattern(from));
      default -> throw new IllegalArgumentException("unknown match type " + kind);
    };
  }

  static boolean isKind(String word) {
    return switch (word) {
      case "exact", "prefix", "suffix", "substring", "regex" -> true;
      default -> false;
    };
  }

  static Pattern pattern(String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no regular expression: " + e.getMessage(), e);
    }
  }

  record Exact(String from) implements NameMatch {
    @Override
    public @Nullable String replace(String name, String to) {
      return name.equals(from) ? to : null;
    }
  }

  record Prefix(String from) implements NameMatch {
    @Override
    public @Nullable String replace(String name, String to) {
      return name.startsWith(from) ? to + name.substring(from.length()) : null;
    }
  }

  record Suffix(String from) implements NameMatch {
    @Override
    public @Nullable String replace(String name, String to) {
      return name.endsWith(from) ? name.substring(0, name.length() - from.length()) + to : null;
    }
  }

  record Substring(String from) implements NameMatch {
    @Override
    public @Nullable String replace(String name, String to) {
      return name.contains(from) ? name.replace(from, to) : null;
    }
  }

  record Regex(Pattern from) implements NameMatch {
    @Override
    public @Nullable String replace(String name, String to) {
      Matcher matcher = from.matcher(name);
      if (!matcher.find()) {
        return null;
      }
      String result = to;
      for (int i = matcher.groupCount(); i >= 0; i--) {
        String group = matcher.group(i);
        result = result.replace("{" + i + "}", group == null ? "" : group);
      }
      return result;
    }
  }
}
