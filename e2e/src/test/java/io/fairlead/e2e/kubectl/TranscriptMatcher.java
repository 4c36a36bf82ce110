package io.fairlead.e2e.kubectl;

import io.fairlead.e2e.RecordingPlaceholders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Compares printed text with a recording: runs of blanks count as one, placeholders stand for what
/// differs between runs.
final class TranscriptMatcher {
  private static final RecordingPlaceholders PLACEHOLDERS =
      new RecordingPlaceholders(
          Map.ofEntries(
              Map.entry("age", "(?:\\d+[smhdy])+"),
              Map.entry("date", ".+?"),
              Map.entry("time", ".+?"),
              Map.entry("uid", "[0-9a-f-]{36}"),
              Map.entry("rv", "\\d+"),
              Map.entry("hash", "[a-z0-9]+"),
              Map.entry("suffix", "[a-z0-9]{5}"),
              Map.entry("ip", "[0-9.]+"),
              Map.entry("server", "https://\\S+"),
              Map.entry("n", "\\d+"),
              Map.entry("file", "\\S+")));

  private TranscriptMatcher() {}

  static List<String> differences(String what, String expected, String actual) {
    List<String> want = lines(expected);
    List<String> got = lines(actual);
    List<String> out = new ArrayList<>();
    for (int i = 0; i < Math.max(want.size(), got.size()); i++) {
      String wanted = i < want.size() ? want.get(i) : "(nothing)";
      String printed = i < got.size() ? got.get(i) : "(nothing)";
      if (!PLACEHOLDERS.matches(wanted, printed)) {
        out.add(what + " line " + (i + 1) + ": expected '" + wanted + "', got '" + printed + "'");
      }
    }
    return out;
  }

  private static List<String> lines(String text) {
    return text.lines().map(line -> line.strip().replaceAll("[ \\t]+", " ")).toList();
  }
}
