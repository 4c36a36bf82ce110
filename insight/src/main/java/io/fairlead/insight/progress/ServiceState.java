package io.fairlead.insight.progress;

import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.objects.V1Service;
import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.EndpointReasonFinder;
import io.fairlead.insight.evidence.NameAnswer;
import io.fairlead.insight.evidence.ServiceFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// A Service, its slices and its pods at one moment, and whether they agree. Pure.
///
/// @param pods those that the selector picks
public record ServiceState(
    ServiceFacts service, List<V1EndpointSlice> slices, List<V1Pod> pods, List<V1Node> nodes) {
  private static final String OTHER_PROXY = "service.kubernetes.io/service-proxy-name";

  public ServiceState {
    slices = List.copyOf(slices);
    pods = List.copyOf(pods);
    nodes = List.copyOf(nodes);
  }

  /// What rules must show. Of a headless Service there are none, and proxies do not read its
  /// slices.
  public ProgressGoal goal() {
    return ProgressGoal.of(service.resourceVersion(), service.headless() ? List.of() : slices);
  }

  /// The proxy that answers for the Service in place of the nodes'; empty for none.
  public String otherProxy() {
    return service.spec().metadata().labels().getOrDefault(OTHER_PROXY, "");
  }

  /// The pods that slices do not show as they are, sorted.
  public List<String> behind() {
    if (!service.selecting().selectsPods()) {
      return List.of();
    }
    Map<String, Boolean> written = new HashMap<>();
    Set<String> gone = new TreeSet<>();
    for (V1EndpointSlice slice : slices) {
      for (V1EndpointSlice.Endpoint endpoint : slice.endpoints()) {
        V1EndpointSlice.Target target = endpoint.target();
        if (target != null) {
          gone.add(target.name());
          written.merge(target.name(), !Boolean.FALSE.equals(endpoint.ready()), Boolean::logicalOr);
        }
      }
    }
    List<EndpointPod> known = pods.stream().map(EndpointPod::of).toList();
    Map<String, EndpointNode> machines = new HashMap<>();
    nodes.forEach(node -> machines.put(node.metadata().name(), EndpointNode.of(node)));
    Set<String> excluded = new HashSet<>();
    EndpointReasonFinder.of(service.selecting(), known, machines)
        .forEach(each -> excluded.add(each.pod().key().name()));
    Set<String> behind = new TreeSet<>();
    for (EndpointPod pod : known) {
      String name = pod.key().name();
      gone.remove(name);
      boolean isReady = written.getOrDefault(name, false);
      boolean contradicts =
          excluded.contains(name) ? isReady && !pod.ready() && !pod.terminating() : !isReady;
      if (contradicts && !service.selecting().publishNotReadyAddresses()) {
        behind.add(name);
      }
    }
    behind.addAll(gone);
    return List.copyOf(behind);
  }

  /// How many ready endpoints the port has that has fewest.
  public int readyEndpoints() {
    List<V1Service.Port> ports = service.spec().spec().ports();
    int fewest = Integer.MAX_VALUE;
    for (V1Service.Port port : ports) {
      Set<String> ready = new HashSet<>();
      for (V1EndpointSlice slice : slices) {
        boolean fits =
            slice.ports().stream()
                .anyMatch(
                    each ->
                        port.name().equals(each.name() == null ? "" : each.name())
                            && port.protocol().equals(each.protocol()));
        if (fits) {
          slice.endpoints().stream()
              .filter(each -> !Boolean.FALSE.equals(each.ready()))
              .forEach(each -> ready.add(name(each)));
        }
      }
      fewest = Math.min(fewest, ready.size());
    }
    return ports.isEmpty() ? readyAddresses().size() : fewest;
  }

  /// One pod with addresses of both families counts once.
  private static String name(V1EndpointSlice.Endpoint endpoint) {
    V1EndpointSlice.Target target = endpoint.target();
    return target == null ? endpoint.addresses().getFirst() : target.name();
  }

  private List<String> readyAddresses() {
    List<String> addresses = new ArrayList<>();
    for (V1EndpointSlice slice : slices) {
      slice.endpoints().stream()
          .filter(each -> !Boolean.FALSE.equals(each.ready()))
          .forEach(each -> addresses.addAll(each.addresses()));
    }
    return addresses;
  }

  /// Whether a DNS server says of the Service's name what the API says.
  public boolean isRightAnswer(NameAnswer answer) {
    if (!answer.rcode().equals("NOERROR")) {
      return false;
    }
    if (service.externalName()) {
      return !answer.aliases().isEmpty() || !answer.addresses().isEmpty();
    }
    Set<String> wanted = Set.copyOf(service.headless() ? readyAddresses() : service.clusterIps());
    return !wanted.isEmpty() && wanted.equals(Set.copyOf(answer.addresses()));
  }
}
