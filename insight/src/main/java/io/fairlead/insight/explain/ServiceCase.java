package io.fairlead.insight.explain;

import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.objects.V1Service;
import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.EndpointReason;
import io.fairlead.controller.serving.EndpointReasonFinder;
import io.fairlead.controller.serving.ExcludedPod;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.finding.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The evidence about a Service that exists, with what several rows derive from it. Immutable; made
/// once for all rows.
///
/// @param asked the ports that are judged, in their order
/// @param endpoints what slices give to each of these ports, by its name
/// @param selected the pods that the selector picks; empty when they were not seen
/// @param excluded the selected pods that are left out, and why
/// @param nearly pods that the selector misses by one label
record ServiceCase(
    ServiceEvidence evidence,
    ServiceFacts service,
    List<V1Service.Port> asked,
    Map<String, List<EndpointView>> endpoints,
    List<EndpointPod> selected,
    List<ExcludedPod> excluded,
    List<ExcludedPod> nearly) {

  private static final String OTHER_PROXY = "service.kubernetes.io/service-proxy-name";

  /// Stands for the port of a Service that has none.
  private static final V1Service.Port NO_PORT = new V1Service.Port("", "", 0, 0, null, 0, null);

  /// @param port a name or number; empty for all ports
  static ServiceCase of(ServiceEvidence evidence, ServiceFacts service, String port) {
    List<V1Service.Port> asked =
        service.spec().spec().ports().stream()
            .filter(
                each ->
                    port.isEmpty()
                        || port.equals(each.name())
                        || port.equals(Integer.toString(each.port())))
            .toList();
    if (asked.isEmpty()) {
      asked = List.of(NO_PORT);
    }
    List<V1EndpointSlice> slices = evidence.objects().slices().value().orElse(List.of());
    Map<String, List<EndpointView>> endpoints = new LinkedHashMap<>();
    for (V1Service.Port each : asked) {
      endpoints.put(
          each.name(),
          each.equals(NO_PORT)
              ? EndpointView.withoutPorts(slices)
              : EndpointView.of(slices, each.name(), each.protocol()));
    }
    List<EndpointPod> selected = new ArrayList<>();
    List<EndpointPod> all = new ArrayList<>();
    for (V1Pod pod : evidence.objects().pods().value().orElse(List.of())) {
      EndpointPod known = EndpointPod.of(pod);
      all.add(known);
      if (service.selecting().selects(known.labels())) {
        selected.add(known);
      }
    }
    Map<String, EndpointNode> nodes = new HashMap<>();
    for (V1Node node : evidence.objects().nodes().value().orElse(List.of())) {
      nodes.put(node.metadata().name(), EndpointNode.of(node));
    }
    // Where Nodes may not be listed, a pod's node counts as there and well.
    boolean blind = !evidence.objects().nodes().isSeen();
    List<ExcludedPod> excluded = new ArrayList<>();
    List<ExcludedPod> nearly = new ArrayList<>();
    for (ExcludedPod each : EndpointReasonFinder.of(service.selecting(), all, nodes)) {
      List<EndpointReason> reasons =
          each.reasons().stream()
              .filter(reason -> !(blind && reason instanceof EndpointReason.NoNode))
              .toList();
      if (!reasons.isEmpty()) {
        boolean near = reasons.getFirst() instanceof EndpointReason.NearlySelected;
        (near ? nearly : excluded).add(new ExcludedPod(each.pod(), reasons));
      }
    }
    return new ServiceCase(evidence, service, asked, endpoints, selected, excluded, nearly);
  }

  ServiceEvidence.ApiObjects objects() {
    return evidence.objects();
  }

  Subject subject() {
    return Subject.service(service.key().namespace(), service.key().name());
  }

  Subject pod(String name) {
    return Subject.pod(service.key().namespace(), name);
  }

  /// Namespace and name of the Service, which most sentences and next steps use, and more.
  Map<String, String> values(String... more) {
    Map<String, String> values = new TreeMap<>();
    values.put("namespace", service.key().namespace());
    values.put("name", service.key().name());
    for (int i = 0; i + 1 < more.length; i += 2) {
      values.put(more[i], more[i + 1]);
    }
    return values;
  }

  /// The endpoints that get new connections of one port.
  List<EndpointView> used(String port) {
    return EndpointView.used(endpoints.getOrDefault(port, List.of()));
  }

  /// The endpoints that get new connections, each once for every port of the pod.
  List<EndpointView> used() {
    Map<String, EndpointView> byPlace = new TreeMap<>();
    for (String port : endpoints.keySet()) {
      used(port).forEach(each -> byPlace.putIfAbsent(each.place() + each.protocol(), each));
    }
    return List.copyOf(byPlace.values());
  }

  /// The pods or addresses that get new connections of some port.
  List<EndpointView> serving() {
    Map<String, EndpointView> byName = new TreeMap<>();
    for (String port : endpoints.keySet()) {
      used(port)
          .forEach(
              each -> byName.putIfAbsent(each.pod().isEmpty() ? each.address() : each.pod(), each));
    }
    return List.copyOf(byName.values());
  }

  /// The proxy that answers for the Service in place of the nodes'; empty for none.
  String otherProxy() {
    return service.spec().metadata().labels().getOrDefault(OTHER_PROXY, "");
  }
}
