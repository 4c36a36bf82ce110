package io.fairlead.e2e;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Words in angle brackets that stand for what differs between runs: `<uid>`, `<age>`.
public final class RecordingPlaceholders {
  private final Map<String, String> meanings;
  private final Pattern word;

  /// @param meanings the regular expression each word stands for
  public RecordingPlaceholders(Map<String, String> meanings) {
    this.meanings = meanings;
    this.word = Pattern.compile("<(" + String.join("|", meanings.keySet()) + ")>");
  }

  /// Whether the text is what the recorded one describes.
  public boolean matches(String recorded, String text) {
    StringBuilder regex = new StringBuilder();
    Matcher found = word.matcher(recorded);
    int at = 0;
    while (found.find()) {
      regex.append(Pattern.quote(recorded.substring(at, found.start())));
      regex.append("(?:").append(meanings.get(found.group(1))).append(")");
      at = found.end();
    }
    regex.append(Pattern.quote(recorded.substring(at)));
    return Pattern.matches(regex.toString(), text);
  }

  /// Whether the text is one placeholder and nothing else.
  public boolean isOne(String text) {
    return word.matcher(text).matches();
  }
}
