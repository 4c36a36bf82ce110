package io.fairlead.ui.model;

import io.fairlead.client.objects.V1Service;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.explain.Explanation;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What is known of one Service by the API alone.
///
/// @param version changes with everything that is shown
record JudgedService(
    ServiceFacts service, ServiceEvidence evidence, Explanation explanation, long version) {
  /// How a Service stands, the worst first.
  enum Health {
    DEAD,
    ATTENTION,
    SERVE,
    /// Nothing of ours serves it.
    NONE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Health health() {
    Verdict verdict = explanation.verdict();
    if (verdict == Verdict.BROKEN) {
      return Health.DEAD;
    }
    if (verdict == Verdict.WARNINGS) {
      return Health.ATTENTION;
    }
    return service.externalName() || !service.selecting().selectsPods()
        ? Health.NONE
        : Health.SERVE;
  }

  /// The code of the gravest finding; empty for none.
  String code() {
    return explanation.first().map(Finding::code).map(Object::toString).orElse("");
  }

  String type() {
    String type = service.spec().spec().type();
    return type.isEmpty() ? "ClusterIP" : type;
  }

  /// Every address it has, external ones behind its own.
  List<String> addresses() {
    if (service.externalName()) {
      return List.of(service.spec().spec().externalName());
    }
    List<String> all = new ArrayList<>(service.headless() ? List.of("None") : service.clusterIps());
    all.addAll(service.spec().spec().externalIps());
    for (V1Service.Ingress each : service.spec().ingress()) {
      all.add(each.ip().isEmpty() ? each.hostname() : each.ip());
    }
    return all.stream().distinct().toList();
  }

  /// `80→9376`, `80:30380→http`.
  List<String> ports() {
    return service.spec().spec().ports().stream().map(JudgedService::shown).toList();
  }

  private static String shown(V1Service.Port port) {
    String target = port.targetPortName();
    return port.port()
        + (port.nodePort() > 0 ? ":" + port.nodePort() : "")
        + "→"
        + (target != null ? target : port.targetPort() > 0 ? port.targetPort() : port.port())
        + (port.protocol().equals("TCP") ? "" : "/" + port.protocol());
  }
}
