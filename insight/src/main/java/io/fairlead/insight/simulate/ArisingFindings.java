package io.fairlead.insight.simulate;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.explain.ServiceExplainer;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Proof;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.gather.SurveyGathering;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What `explain` would find after a change and does not find before it.
final class ArisingFindings {
  private final Map<ObjectKey, List<Finding>> before = new HashMap<>();
  private final Map<ObjectKey, List<Finding>> after = new HashMap<>();

  /// @param namespaces those of the Services in question
  ArisingFindings(
      ClusterObjects now, ClusterObjects then, Set<String> namespaces, Instant instant) {
    for (String namespace : namespaces) {
      judge(now, namespace, instant, before);
      judge(then, namespace, instant, after);
    }
  }

  private static void judge(
      ClusterObjects objects,
      String namespace,
      Instant now,
      Map<ObjectKey, List<Finding>> findings) {
    List<ServiceEvidence> all =
        new SurveyGathering(new SnapshotSources(objects, now), InstantSource.fixed(now))
            .gather(namespace, "")
            .orElse(List.of());
    for (ServiceEvidence evidence : all) {
      evidence
          .service()
          .value()
          .flatMap(found -> found)
          .ifPresent(
              service ->
                  findings.put(
                      evidence.key(), ServiceExplainer.explain(evidence, service, "").findings()));
    }
  }

  /// Faults and warnings; one that was a warning and would be a fault arises too. All are known
  /// from the model only.
  List<Finding> of(ObjectKey service) {
    Set<List<Object>> known = new HashSet<>();
    for (Finding finding : before.getOrDefault(service, List.of())) {
      known.add(List.of(finding.code(), finding.subject(), finding.severity()));
    }
    return after.getOrDefault(service, List.of()).stream()
        .filter(finding -> finding.severity() != Severity.NOTE)
        .filter(
            finding ->
                !known.contains(List.of(finding.code(), finding.subject(), finding.severity())))
        .map(
            finding ->
                new Finding(
                    finding.code(),
                    finding.severity(),
                    finding.subject(),
                    finding.values(),
                    List.of(new Proof(Source.MODEL, "", ""))))
        .toList();
  }
}
