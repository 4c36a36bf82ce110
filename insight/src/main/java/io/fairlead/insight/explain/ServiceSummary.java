package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Service;
import io.fairlead.controller.serving.ServicePortSpec;
import io.fairlead.controller.serving.TargetPort;
import io.fairlead.insight.finding.Sentence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a Service is, in a line and as fields of a document.
final class ServiceSummary {
  private ServiceSummary() {}

  static Sentence header(ServiceCase asked) {
    V1Service.Spec spec = asked.service().spec().spec();
    Map<String, String> values = new HashMap<>(asked.values());
    values.put("type", spec.type().isEmpty() ? "ClusterIP" : spec.type());
    values.put("address", address(asked));
    if (asked.service().externalName()) {
      return new Sentence("header.alias", values);
    }
    List<String> ports = new ArrayList<>();
    for (int i = 0; i < spec.ports().size(); i++) {
      ports.add(shown(spec.ports().get(i), asked.service().selecting().ports().get(i)));
    }
    values.put("ports", ports.isEmpty() ? "–" : String.join(", ", ports));
    values.put("modes", modes(asked));
    values.put("serving", Integer.toString(podsServing(asked)));
    values.put("selected", Integer.toString(podsSelected(asked)));
    boolean pods = asked.service().selecting().selectsPods() && asked.objects().pods().isSeen();
    String key = ports.size() > 1 ? "header.ports" : "header.port";
    return new Sentence(
        key + (modes(asked).isEmpty() ? "" : ".mode") + (pods ? "" : ".nopods"), values);
  }

  private static String address(ServiceCase asked) {
    if (asked.service().externalName()) {
      return asked.service().spec().spec().externalName();
    }
    return asked.service().headless()
        ? "None"
        : asked.service().clusterIps().isEmpty()
            ? "–"
            : String.join(", ", asked.service().clusterIps());
  }

  private static String shown(V1Service.Port port, ServicePortSpec spec) {
    return (port.name().isEmpty() ? "" : port.name() + " ")
        + port.port()
        + "/"
        + port.protocol()
        + " → "
        + target(spec)
        + (port.nodePort() > 0 ? " (node port " + port.nodePort() + ")" : "");
  }

  private static String target(ServicePortSpec spec) {
    return switch (spec.target()) {
      case TargetPort.Numeric(int number) -> Integer.toString(number);
      case TargetPort.Named(String name) -> name;
    };
  }

  /// `nftables`, or `nftables (2), iptables (1)`; empty when no node says.
  private static String modes(ServiceCase asked) {
    Map<String, Integer> count = new TreeMap<>();
    asked
        .evidence()
        .nodes()
        .values()
        .forEach(
            node -> {
              String mode =
                  node.about()
                      .value()
                      .map(about -> about.mode())
                      .or(() -> node.rules().value().map(rules -> rules.mode()))
                      .orElse("");
              if (!mode.isEmpty()) {
                count.merge(mode, 1, Integer::sum);
              }
            });
    if (count.size() <= 1) {
      return String.join("", count.keySet());
    }
    List<String> parts = new ArrayList<>();
    count.forEach((mode, nodes) -> parts.add(mode + " (" + nodes + ")"));
    return String.join(", ", parts);
  }

  /// Selected pods that have not finished.
  static int podsSelected(ServiceCase asked) {
    return (int) asked.selected().stream().filter(pod -> !pod.finished()).count();
  }

  /// Those of them that get connections of every port.
  static int podsServing(ServiceCase asked) {
    Set<String> serving = new HashSet<>();
    asked.selected().forEach(pod -> serving.add(pod.key().name()));
    for (String port : asked.endpoints().keySet()) {
      Set<String> here = new HashSet<>();
      asked.used(port).forEach(each -> here.add(each.pod()));
      serving.retainAll(here);
    }
    return serving.size();
  }

  static ObjectNode document(ServiceCase asked) {
    V1Service.Spec spec = asked.service().spec().spec();
    ObjectNode summary = Json.object().put("type", spec.type());
    ArrayNode addresses = summary.putArray("addresses");
    asked.service().clusterIps().forEach(addresses::add);
    ArrayNode ports = summary.putArray("ports");
    for (int i = 0; i < spec.ports().size(); i++) {
      V1Service.Port port = spec.ports().get(i);
      ports
          .addObject()
          .put("name", port.name())
          .put("port", port.port())
          .put("protocol", port.protocol())
          .put("targetPort", target(asked.service().selecting().ports().get(i)))
          .put("nodePort", port.nodePort());
    }
    if (asked.objects().pods().isSeen()) {
      summary.put("podsServing", podsServing(asked)).put("podsSelected", podsSelected(asked));
    } else {
      summary.putNull("podsServing").putNull("podsSelected");
    }
    ArrayNode planes = summary.putArray("dataPlanes");
    Set<String> known = new HashSet<>();
    new TreeMap<>(asked.evidence().nodes())
        .forEach(
            (name, node) ->
                node.about()
                    .value()
                    .ifPresent(
                        about -> {
                          known.add(name);
                          planes
                              .addObject()
                              .put("node", name)
                              .put("kind", "fairlead")
                              .put("mode", about.mode())
                              .put("source", "kernel");
                        }));
    asked
        .objects()
        .reports()
        .value()
        .orElse(List.of())
        .forEach(
            report -> {
              if (known.add(report.node())) {
                planes
                    .addObject()
                    .put("node", report.node())
                    .put("kind", "fairlead")
                    .putNull("mode")
                    .put("source", "api");
              }
            });
    // Rules that were read without a node API, on a node that reports nothing: not our proxy.
    new TreeMap<>(asked.evidence().nodes())
        .forEach(
            (name, node) -> {
              if (node.rules().isSeen() && known.add(name)) {
                planes
                    .addObject()
                    .put("node", name)
                    .put("kind", "kube-proxy")
                    .put("mode", node.rules().value().orElseThrow().mode())
                    .put("source", "kernel");
              }
            });
    return summary;
  }
}
