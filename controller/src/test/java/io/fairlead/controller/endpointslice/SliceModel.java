package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.Service;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// One Service, its pods and its slices in memory: plans are made by the real planner and carried
/// out write by write, without a server and without threads.
public class SliceModel implements AutoCloseable {
  final ObjectNode serviceTree = service();
  final TreeMap<String, EndpointPod> pods = new TreeMap<>();
  final Map<String, ObjectNode> nodes = new LinkedHashMap<>();
  final List<Slice> slices = new ArrayList<>();
  final List<ServiceEvent> notices = new ArrayList<>();
  final List<String> problems = new ArrayList<>();
  int most = 100;
  boolean hinted;
  private int names;
  private int versions;

  SliceModel() {
    for (String zone : List.of("a", "b", "c")) {
      node("node-" + zone, zone, "4");
    }
  }

  static ObjectNode service() {
    ObjectNode service = Json.object().put("kind", "Service").put("apiVersion", "v1");
    service
        .putObject("metadata")
        .put("name", "svc")
        .put("namespace", "default")
        .put("uid", "service-uid")
        .put("creationTimestamp", "2026-01-01T00:00:00Z");
    ObjectNode spec = service.putObject("spec").put("clusterIP", "10.96.0.1");
    spec.putObject("selector").put("app", "web");
    spec.putArray("ipFamilies").add("IPv4");
    spec.putArray("ports")
        .addObject()
        .put("name", "http")
        .put("port", 80)
        .put("targetPort", 8080)
        .put("protocol", "TCP");
    return service;
  }

  ObjectNode spec() {
    return Json.child(serviceTree, "spec");
  }

  ObjectNode port(int index) {
    return (ObjectNode) spec().path("ports").path(index);
  }

  void node(String name, String zone, String cpu) {
    ObjectNode node = Json.object();
    ObjectNode metadata = node.putObject("metadata").put("name", name);
    if (!zone.isEmpty()) {
      metadata.putObject("labels").put("topology.kubernetes.io/zone", zone);
    }
    ObjectNode status = node.putObject("status");
    status.putObject("allocatable").put("cpu", cpu);
    status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
    nodes.put(name, node);
  }

  /// A running, ready pod on node-a with these addresses, changed as wanted.
  static ObjectNode podTree(String name, String... addresses) {
    ObjectNode pod = Json.object().put("kind", "Pod").put("apiVersion", "v1");
    ObjectNode metadata =
        pod.putObject("metadata")
            .put("name", name)
            .put("namespace", "default")
            .put("uid", "uid-" + name);
    metadata.putObject("labels").put("app", "web");
    ObjectNode spec = pod.putObject("spec").put("nodeName", "node-a");
    spec.putArray("containers").addObject().put("name", "c");
    ObjectNode status = pod.putObject("status").put("phase", "Running");
    ready(pod, true);
    ArrayNode list = status.putArray("podIPs");
    for (String address : addresses) {
      list.addObject().put("ip", address);
    }
    return pod;
  }

  static void ready(ObjectNode pod, boolean ready) {
    Json.child(pod, "status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", ready ? "True" : "False");
  }

  static void terminating(ObjectNode pod) {
    Json.child(pod, "metadata").put("deletionTimestamp", "2026-01-01T01:00:00Z");
  }

  void put(ObjectNode pod) {
    EndpointPod decoded = EndpointPod.of(V1Pod.of(pod));
    pods.put(decoded.key().name(), decoded);
  }

  /// So many ready pods `PREFIX-0`…, each with an address of its own.
  void pods(String prefix, int group, int count) {
    for (int i = 0; i < count; i++) {
      String name = String.format("%s-%04d", prefix, i);
      put(podTree(name, "10." + group + "." + i / 250 + "." + (i % 250 + 1)));
    }
  }

  Service decoded() {
    return Service.of(serviceTree);
  }

  /// Plans and writes everything. Returns how many creates, updates and deletes it took.
  String sync() {
    return sync(_ -> {});
  }

  /// @param afterWrite is shown the slices after each single write
  String sync(Consumer<List<Slice>> afterWrite) {
    Service service = decoded();
    Map<String, EndpointNode> decodedNodes = new LinkedHashMap<>();
    nodes.forEach((name, tree) -> decodedNodes.put(name, EndpointNode.of(V1Node.of(tree))));
    notices.clear();
    problems.clear();
    int[] counts = new int[3];
    List<Slice> ours = List.copyOf(slices);
    for (Family family : service.servedFamilies()) {
      List<Slice> present =
          ours.stream().filter(s -> s.addressType().equals(family.toString())).toList();
      FamilyPlan plan =
          FamilyPlan.of(
              new FamilyPlan.Input(
                  service, present, ZoneShares.of(decodedNodes.values()), hinted, most),
              family,
              DesiredSliceEndpoints.of(
                  service,
                  family,
                  List.copyOf(pods.values()),
                  name -> Optional.ofNullable(decodedNodes.get(name))));
      notices.addAll(plan.notices());
      problems.addAll(plan.problems());
      write(plan, service, counts, afterWrite);
    }
    List<String> served = service.servedFamilies().stream().map(Family::toString).toList();
    for (Slice slice : ours) {
      if (!served.contains(slice.addressType())) {
        slices.remove(slice);
        counts[2]++;
        afterWrite.accept(slices);
      }
    }
    return (counts[0] > 0 ? counts[0] + "C" : "")
        + (counts[1] > 0 ? counts[1] + "U" : "")
        + (counts[2] > 0 ? counts[2] + "D" : "");
  }

  private void write(
      FamilyPlan plan, Service service, int[] counts, Consumer<List<Slice>> afterWrite) {
    if (!service.metadata().beingDeleted()) {
      for (SliceDraft draft : plan.creates()) {
        slices.add(stored(draft, service, "svc-" + names++));
        counts[0]++;
        afterWrite.accept(slices);
      }
    }
    for (SliceDraft draft : plan.updates()) {
      Slice base = draft.base().orElseThrow();
      int place = slices.indexOf(base);
      slices.set(place, stored(draft, service, base.metadata().name()));
      counts[1]++;
      afterWrite.accept(slices);
    }
    for (Slice slice : plan.deletes()) {
      slices.remove(slice);
      counts[2]++;
      afterWrite.accept(slices);
    }
  }

  /// A draft as a server would keep it.
  Slice stored(SliceDraft draft, Service service, String name) {
    ObjectNode body = SliceBody.of(draft, service, Optional.empty());
    Json.child(body, "metadata")
        .put("name", name)
        .put("uid", "uid-" + name)
        .put("resourceVersion", Integer.toString(++versions));
    return Slice.of(body);
  }

  /// The numbers of endpoints in the slices.
  List<Integer> sizes() {
    return slices.stream().map(slice -> slice.endpoints().size()).toList();
  }

  Slice only() {
    if (slices.size() != 1) {
      throw new AssertionError("slices: " + sizes());
    }
    return slices.getFirst();
  }

  SliceEndpoint onlyEndpoint() {
    return only().endpoints().getFirst();
  }

  String namespace() {
    return "default";
  }

  /// Whether a server stands behind it, which does not let everything happen.
  boolean isReal() {
    return false;
  }

  @Override
  public void close() {}
}
