package io.fairlead.insight.history;

import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Nodes whose clocks are so far off that their logs cannot be compared with others.
public final class ClockFindings {
  private static final Duration FAR = Duration.ofSeconds(1);

  private ClockFindings() {}

  public static List<Finding> of(List<NodeRecords> nodes) {
    return nodes.stream()
        .filter(node -> node.offset().abs().compareTo(FAR) > 0)
        .map(
            node ->
                Finding.of(
                    FindingCode.FL194,
                    Subject.node(node.node()),
                    Source.PROBE,
                    Map.of(
                        "node",
                        node.node(),
                        "offset",
                        String.format(Locale.ROOT, "%+.1f s", node.offset().toMillis() / 1000.0))))
        .toList();
  }
}
