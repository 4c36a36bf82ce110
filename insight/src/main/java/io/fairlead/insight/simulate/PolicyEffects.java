package io.fairlead.insight.simulate;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Subject;
import io.fairlead.policy.core.ConnectionExplanation;
import io.fairlead.policy.core.IpProtocol;
import io.fairlead.policy.core.PolicySimulation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Which clients NetworkPolicies would cut off from which Services, by the policy module's oracle.
final class PolicyEffects {
  /// More findings are not kept.
  private static final int MOST = 1000;

  private final Map<ObjectKey, Map<String, Finding>> findings = new LinkedHashMap<>();

  private PolicyEffects() {}

  /// Pods of the Services as they would be; policies and labels as they are and as they would be.
  static PolicyEffects of(ClusterObjects now, ClusterObjects then) {
    PolicyEffects effects = new PolicyEffects();
    if (now.all("NetworkPolicy").isEmpty() && then.all("NetworkPolicy").isEmpty()) {
      return effects;
    }
    PolicyModel before = PolicyModel.of(now);
    PolicyModel after = PolicyModel.of(then);
    boolean same =
        before.policies().equals(after.policies())
            && before.pods().equals(after.pods())
            && before.namespaces().equals(after.namespaces());
    if (!same) {
      PolicySimulation.compare(
              before.oracle(before.policies()),
              after.oracle(after.policies()),
              after.pods(),
              after.outside(before.policies()),
              after.targets())
          .forEach(effects::add);
    }
    return effects;
  }

  private void add(PolicySimulation.Effect effect) {
    PolicySimulation.Target target = effect.target();
    Map<String, Finding> known =
        findings.computeIfAbsent(target.service(), _ -> new LinkedHashMap<>());
    for (PolicySimulation.Loss loss : effect.cut()) {
      if (known.size() < MOST) {
        // The pods of a Service are cut off from a client for one reason: it is said once.
        known.putIfAbsent(loss.client() + " " + target.port(), finding(target, loss));
      }
    }
    if (known.isEmpty()) {
      findings.remove(target.service());
    }
  }

  private static Finding finding(PolicySimulation.Target target, PolicySimulation.Loss loss) {
    String port = target.port() + "/" + IpProtocol.text(target.protocol());
    String policies =
        loss.why()
            .denying()
            .map(ConnectionExplanation.End::isolatedBy)
            .map(by -> by.stream().map(ObjectKey::toString).collect(Collectors.joining(", ")))
            .orElse("");
    return Finding.of(
        FindingCode.FL160,
        Subject.service(target.service().namespace(), target.service().name()),
        Source.MODEL,
        Map.of(
            "policy",
            policies,
            "client",
            loss.client().toString(),
            "port",
            port,
            "target",
            target.pod().key() + ":" + port));
  }

  /// The Services with a client that would be cut off.
  Set<ObjectKey> services() {
    return Set.copyOf(findings.keySet());
  }

  List<Finding> of(ObjectKey service) {
    return new ArrayList<>(findings.getOrDefault(service, Map.of()).values());
  }
}
