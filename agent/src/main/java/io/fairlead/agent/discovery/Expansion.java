package io.fairlead.agent.discovery;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Replaces `$(NAME)` in values, commands and arguments. `$$` is a dollar that begins nothing; an
/// unknown name stays as it is written.
public final class Expansion {
  private Expansion() {}

  /// The text with every name replaced; empty when one of them is not known.
  public static Optional<String> whole(String text, Map<String, String> known) {
    boolean[] missing = new boolean[1];
    String replaced =
        replaced(
            text,
            name -> {
              missing[0] |= !known.containsKey(name);
              return known.get(name);
            });
    return missing[0] ? Optional.empty() : Optional.of(replaced);
  }

  public static String of(String text, Map<String, String> known) {
    return replaced(text, known::get);
  }

  private static String replaced(String text, Function<String, @Nullable String> known) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char letter = text.charAt(at);
      if (letter != '$' || at + 1 == text.length()) {
        out.append(letter);
        at++;
        continue;
      }
      char next = text.charAt(at + 1);
      int end = next == '(' ? text.indexOf(')', at + 2) : -1;
      if (next == '$') {
        out.append('$');
        at += 2;
      } else if (end < 0) {
        out.append(letter);
        at++;
      } else {
        String name = text.substring(at + 2, end);
        String value = known.apply(name);
        out.append(value == null ? "$(" + name + ")" : value);
        at = end + 1;
      }
    }
    return out.toString();
  }
}
