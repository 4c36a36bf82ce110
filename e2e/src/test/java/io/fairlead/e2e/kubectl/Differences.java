package io.fairlead.e2e.kubectl;

import java.util.List;
import java.util.regex.Pattern;

/// Where what is printed differs from the recording on purpose, each with its reason. A row that is
/// no longer needed fails its test.
final class Differences {
  private static final String NEWER_WORDS = "newer kubectl words it so, whatever the server";

  /// @param from the oldest kubectl minor it is about
  /// @param recording a pattern for the recording's name
  /// @param command a pattern for the command
  private record Row(int from, String recording, String command, String reason) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(0, ".*", "kubectl version", "the server's version is our own"),
          new Row(28, ".*1.27.*", "kubectl annotate .*", NEWER_WORDS),
          new Row(28, ".*1.27.*", "kubectl auth whoami", NEWER_WORDS),
          new Row(31, ".*1.27.*", "kubectl describe svc my-nginx", NEWER_WORDS),
          new Row(30, ".*1.27.*", "kubectl cluster-info", NEWER_WORDS),
          new Row(30, ".*1.27.*", "kubectl scale deploy nosuch .*", NEWER_WORDS),
          new Row(33, ".*1.32.*", "kubectl describe pod .*", NEWER_WORDS));

  private Differences() {}

  /// Why this step may differ; empty when it must not.
  static String reason(int minor, Transcript.Step step) {
    for (Row row : ROWS) {
      if (row.from <= minor
          && Pattern.matches(row.recording, step.file())
          && Pattern.matches(row.command, step.command())) {
        return row.reason;
      }
    }
    return "";
  }
}
