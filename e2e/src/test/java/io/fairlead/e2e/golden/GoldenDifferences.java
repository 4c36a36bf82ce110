package io.fairlead.e2e.golden;

import java.util.List;

/// Where we answer differently from the original on purpose, each with its reason.
final class GoldenDifferences {
  /// @param step the beginning of a step's id, `file / scenario / name`
  private record Row(String step, String reason) {}

  private static final String ALWAYS_A_STATUS =
      "errors are always a Status, also where the original answers with plain text";
  private static final String LOST_PORT =
      "a port that a strategic merge patch loses is worth a warning";

  private static final List<Row> ROWS =
      List.of(
          new Row("discovery / unknown / GET /apis/nope", ALWAYS_A_STATUS),
          new Row("discovery / unknown / GET unknown resource at top", ALWAYS_A_STATUS),
          new Row("services / patch-ports / SMP 80/UDP merges into 80/TCP", LOST_PORT),
          new Row(
              "services / smp-apply-like / two protocols on one port number collide", LOST_PORT),
          new Row(
              "services / patch-ports / SMP without merge key",
              "a patch without its merge key is the client's fault: 422, not 500"),
          new Row(
              "tables / workloads / daemonsets Table",
              "the original loses an annotation in tables that it shows everywhere else"));

  private GoldenDifferences() {}

  /// Why this step may differ; empty when it must not.
  static String reason(String id) {
    for (Row row : ROWS) {
      if (id.startsWith(row.step)) {
        return row.reason;
      }
    }
    return "";
  }
}
