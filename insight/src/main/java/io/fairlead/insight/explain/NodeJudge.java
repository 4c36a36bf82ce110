package io.fairlead.insight.explain;

import io.fairlead.insight.evidence.ChecksReport;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Proof;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Judges what the kernel of a node is set to.
final class NodeJudge {
  /// A table that is fuller is worth a warning.
  private static final int FULL_PERCENT = 80;

  private NodeJudge() {}

  /// How full the table of connections is; empty when that is no trouble.
  static Optional<Finding> conntrack(String node, ChecksReport checks) {
    if (checks.conntrackMax() <= 0 || checks.conntrackCount() < 0) {
      return Optional.empty();
    }
    long percent = Math.floorDiv(checks.conntrackCount() * 100, checks.conntrackMax());
    boolean dropping = checks.conntrackDropped() > 0;
    if (percent < FULL_PERCENT && !dropping) {
      return Optional.empty();
    }
    Map<String, String> values =
        Map.of(
            "node",
            node,
            "percent",
            percent + " %",
            "drops",
            dropping ? "rising" : "none",
            "dropped",
            Long.toString(checks.conntrackDropped()),
            "larger",
            Long.toString(checks.conntrackMax() * 2));
    return Optional.of(
        kernel(FindingCode.FL190, node, values).as(dropping ? Severity.FAULT : Severity.WARNING));
  }

  /// Why packets are not forwarded on a node; empty when nothing speaks for it.
  static Optional<Finding> forwarding(String node, ChecksReport checks, boolean six) {
    String name = six ? "net.ipv6.conf.all.forwarding" : "net.ipv4.ip_forward";
    String value = checks.sysctls().getOrDefault(name, "");
    if (value.equals("0")) {
      return Optional.of(
          kernel(FindingCode.FL147, node, Map.of("node", node, "sysctl", name, "value", value)));
    }
    return checks.dropping().stream()
        .filter(chain -> chain.concerns(six))
        .findFirst()
        .map(
            chain ->
                kernel(
                    FindingCode.FL146,
                    node,
                    Map.of(
                        "node",
                        node,
                        "table",
                        chain.table(),
                        "chain",
                        chain.chain(),
                        "rule",
                        "policy")));
  }

  static Finding kernel(FindingCode code, String node, Map<String, String> values) {
    return new Finding(
        code,
        code.severity(),
        Subject.node(node),
        values,
        List.of(new Proof(Source.KERNEL, node, "")));
  }
}
