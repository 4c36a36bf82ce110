package io.fairlead.agent.discovery;

import java.util.Map;

/// Replaces `$(NAME)` in values, commands and arguments. `$$` is a dollar that begins nothing; an
/// unknown name stays as it is written.
public final class Expansion {
  private Expansion() {}

  public static String of(String text, Map<String, String> known) {
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
        String value = known.get(name);
        out.append(value == null ? "$(" + name + ")" : value);
        at = end + 1;
      }
    }
    return out.toString();
  }
}
