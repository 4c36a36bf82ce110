package io.fairlead.insight.simulate;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.NodePortAddresses;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.ServicePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a Service would do otherwise in another mode.
final class ModeDifferences {
  private static final String LOOPBACK = "127.0.0.1";

  private ModeDifferences() {}

  /// @param before the nodes as they are
  /// @param after the same nodes in the other mode
  static List<Finding> findings(
      ObjectKey service,
      List<NodeModel> before,
      List<NodeModel> after,
      TrafficEffects.NodePlans plans) {
    Map<String, Finding> findings = new LinkedHashMap<>();
    for (NodeModel node : before) {
      after.stream()
          .filter(other -> other.name().equals(node.name()) && other.mode() != node.mode())
          .forEach(
              other -> {
                for (Plan plan : plans.byNode().getOrDefault(other, List.of())) {
                  for (ServicePlan port : plan.sorted()) {
                    port(service, node, other, plan.node(), port)
                        .forEach(
                            each ->
                                // What all nodes have in common is said once.
                                findings.putIfAbsent(
                                    each.values().get("port") + each.values().get("address"),
                                    each));
                  }
                }
              });
    }
    return List.copyOf(findings.values());
  }

  private static List<Finding> port(
      ObjectKey service, NodeModel node, NodeModel other, NodeFacts facts, ServicePlan port) {
    List<Finding> findings = new ArrayList<>();
    NodeFacts was = node.facts(facts.family());
    if (port.port().nodePort() != 0) {
      for (String address : lost(was, node.mode(), facts, other.mode())) {
        findings.add(nodePort(service, port, address, other.mode(), facts));
      }
    }
    return findings;
  }

  /// Addresses that answer node ports now and would not.
  private static List<String> lost(NodeFacts was, ProxyMode mode, NodeFacts will, ProxyMode other) {
    List<String> lost = new ArrayList<>();
    boolean loopback = loopback(was, mode) && !loopback(will, other);
    if (loopback) {
      lost.add(LOOPBACK);
    }
    if (was.nodePortAddresses() instanceof NodePortAddresses.All
        && will.nodePortAddresses() instanceof NodePortAddresses.Only) {
      lost.add("others");
    }
    return lost;
  }

  private static boolean loopback(NodeFacts facts, ProxyMode mode) {
    return (mode == ProxyMode.IPTABLES || mode == ProxyMode.USERSPACE)
        && facts.localhostNodePorts()
        && facts.family() == IpAddress.Family.IPV4;
  }

  private static Finding nodePort(
      ObjectKey service, ServicePlan port, String address, ProxyMode mode, NodeFacts facts) {
    return Finding.of(
            FindingCode.FL149,
            Subject.service(service.namespace(), service.name()),
            Source.MODEL,
            Map.of(
                "port",
                Integer.toString(port.port().nodePort()),
                "address",
                address,
                "mode",
                mode.toString(),
                "primary",
                facts.address().toString()))
        .as(Severity.WARNING);
  }

  /// What else clients and pods would notice, as sentences.
  ///
  /// @param after the nodes in the other mode
  static List<Sentence> notes(List<NodeModel> after, TrafficEffects.NodePlans plans) {
    Set<Sentence> notes = new LinkedHashSet<>();
    for (NodeModel node : after) {
      for (Plan plan : plans.byNode().getOrDefault(node, List.of())) {
        for (ServicePlan port : plan.sorted()) {
          boolean local = port.port().externalLocal() || port.port().internalLocal();
          if (node.mode() == ProxyMode.IPVS && local) {
            notes.add(note("local", port));
          }
          if (node.mode() == ProxyMode.USERSPACE && port.name().protocol() == Protocol.SCTP) {
            notes.add(note("sctp", port));
          }
        }
      }
    }
    return List.copyOf(notes);
  }

  private static Sentence note(String what, ServicePlan port) {
    return Sentence.of(
        "simulate.mode." + what,
        "port",
        port.name().port().isEmpty() ? port.port().port() : port.name().port());
  }
}
