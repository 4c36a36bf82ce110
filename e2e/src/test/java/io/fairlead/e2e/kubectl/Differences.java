package io.fairlead.e2e.kubectl;

import java.util.List;
import java.util.regex.Pattern;

/// Where what is printed differs from the recording on purpose, each with its reason. A row that is
/// no longer needed fails its test.
final class Differences {
  private static final int NEWEST = 99;

  /// @param from the oldest kubectl minor it is about
  /// @param to the newest
  /// @param command a pattern for the command
  private record Row(int from, int to, String command, String reason) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(
              0,
              NEWEST,
              "kubectl describe (deploy|pod|endpoints) .*",
              "shows what workload controllers, endpoint controllers and kubelets wrote; the test's"
                  + " stand-in writes less"),
          new Row(
              27,
              NEWEST,
              "kubectl describe endpointslices .*",
              "shows node names, which the endpoint controllers write"),
          new Row(0, NEWEST, "kubectl version", "the server's version is our own"));

  private Differences() {}

  /// Why this step may differ; empty when it must not.
  static String reason(int minor, Transcript.Step step) {
    for (Row row : ROWS) {
      if (row.from <= minor && minor <= row.to && Pattern.matches(row.command, step.command())) {
        return row.reason;
      }
    }
    return "";
  }
}
