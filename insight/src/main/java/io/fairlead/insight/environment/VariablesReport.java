package io.fairlead.insight.environment;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import java.util.List;

/// The Service variables of a pod, judged.
///
/// @param source `record` when the node's agent noted them, `model` when they follow from the API
/// @param bytes how much of the environment they take
/// @param limitBytes how much an environment may take in all
public record VariablesReport(
    ObjectKey pod,
    List<Started> containers,
    List<Variable> variables,
    List<Missing> missing,
    List<Wrong> wrong,
    Source source,
    long bytes,
    long limitBytes,
    List<Finding> findings) {
  /// A container and when it started; empty when it has not.
  public record Started(String name, String at) {}

  /// @param service of which Service; empty when none of that name is there any more
  public record Variable(String name, String value, String service) {}

  /// A Service of which the pod has no variables.
  public record Missing(String service, int count, FindingCode code) {}

  /// A variable that says something else than the Service does now.
  public record Wrong(String name, String has, String wanted, FindingCode code) {}

  public VariablesReport {
    containers = List.copyOf(containers);
    variables = List.copyOf(variables);
    missing = List.copyOf(missing);
    wrong = List.copyOf(wrong);
    findings = List.copyOf(findings);
  }

  /// Whether it has a variable that misleads, or so many that programs may not start.
  public boolean isFault() {
    return findings.stream()
        .anyMatch(each -> each.code() == FindingCode.FL171 || each.code() == FindingCode.FL173);
  }
}
