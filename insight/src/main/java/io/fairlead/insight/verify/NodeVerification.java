package io.fairlead.insight.verify;

import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.explain.Explanation;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Severity;
import java.util.List;
import java.util.Optional;

/// What was found on one node.
///
/// @param mode how its proxy carries traffic; empty when that is not known
/// @param services how many the rules serve; empty when that is not known
/// @param agreeing how many service ports have the rules they should; empty when the rules cannot
///   be read
/// @param blind why nothing of the node could be seen; empty when something was
public record NodeVerification(
    String node,
    String mode,
    Optional<Long> services,
    Optional<Long> servicePorts,
    Optional<Long> agreeing,
    List<ServicePortDifference> differences,
    List<Finding> findings,
    List<Explanation.Unknown> unseen,
    Optional<Why> blind,
    long millis) {
  public NodeVerification {
    differences = List.copyOf(differences);
    findings = List.copyOf(findings);
    unseen = List.copyOf(unseen);
  }

  public long count(Severity severity) {
    return findings.stream().filter(each -> each.severity() == severity).count();
  }
}
