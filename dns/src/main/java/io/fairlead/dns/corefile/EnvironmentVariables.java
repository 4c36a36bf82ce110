package io.fairlead.dns.corefile;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Fills `{$NAME}` and `{%NAME%}` in a word from the environment. An unset name gives nothing, as
/// in CoreDNS. A value is never looked at again, so it cannot smuggle in another reference.
final class EnvironmentVariables {
  private final UnaryOperator<@Nullable String> variables;

  EnvironmentVariables(UnaryOperator<@Nullable String> variables) {
    this.variables = variables;
  }

  String fill(String word) {
    return fill(fill(word, "{%", "%}"), "{$", "}");
  }

  private String fill(String word, String open, String close) {
    int start = word.indexOf(open);
    if (start < 0) {
      return word;
    }
    StringBuilder filled = new StringBuilder();
    int copied = 0;
    while (start >= 0) {
      int end = word.indexOf(close, start + open.length());
      if (end < 0) {
        break;
      }
      String name = word.substring(start + open.length(), end);
      String value = name.isEmpty() ? null : variables.apply(name);
      filled.append(word, copied, start).append(value == null ? "" : value);
      copied = end + close.length();
      start = word.indexOf(open, copied);
    }
    return filled.append(word, copied, word.length()).toString();
  }
}
