package io.fairlead.insight.simulate;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Traffic with the policy Local that a node serves now and would drop: because no pod of the
/// Service is left there, or because the node itself is gone and a balancer still sends to it.
final class LocalTraffic {
  private LocalTraffic() {}

  /// Which traffic of a node is forwarded under the policy Local.
  private record Served(boolean internal, boolean external) {}

  static List<Finding> findings(
      ObjectKey service,
      TrafficEffects.NodePlans before,
      TrafficEffects.NodePlans after,
      Set<String> down) {
    Map<String, Served> was = served(before);
    Map<String, Served> will = served(after);
    Set<String> others = new TreeSet<>();
    will.forEach(
        (node, each) -> {
          if (each.internal() || each.external()) {
            others.add(node);
          }
        });
    List<Finding> findings = new ArrayList<>();
    was.forEach(
        (node, each) -> {
          Served then = will.getOrDefault(node, new Served(false, false));
          boolean internal = each.internal() && !then.internal() && !down.contains(node);
          boolean external = each.external() && !then.external();
          if ((internal || external) && !others.isEmpty()) {
            // Clients of a node have no other way; a balancer turns to another node.
            findings.add(
                Finding.of(
                        FindingCode.FL144,
                        Subject.service(service.namespace(), service.name()),
                        Source.MODEL,
                        Map.of("node", node, "others", String.join(", ", others)))
                    .as(internal ? Severity.FAULT : Severity.WARNING));
          }
        });
    return findings;
  }

  private static Map<String, Served> served(TrafficEffects.NodePlans plans) {
    Map<String, Served> served = new LinkedHashMap<>();
    plans
        .byNode()
        .forEach(
            (node, both) -> {
              boolean internal = false;
              boolean external = false;
              for (Plan plan : both) {
                for (ServicePlan port : plan.sorted()) {
                  internal |= port.port().internalLocal() && forwards(port, true);
                  external |= port.port().externalLocal() && forwards(port, false);
                }
              }
              served.put(node.name(), new Served(internal, external));
            });
    return served;
  }

  private static boolean forwards(ServicePlan port, boolean internal) {
    return port.fronts().stream()
        .filter(front -> (front.kind() == Frontend.Kind.CLUSTER_IP) == internal)
        .anyMatch(front -> front.verdict() instanceof TrafficVerdict.Forward);
  }
}
