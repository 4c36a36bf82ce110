package io.fairlead.agent.node;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The Node object as the agent writes it. Pure.
public final class NodeObjectBuilder {
  /// The annotation by which the API server knows the certificate of the node's server.
  public static final String FINGERPRINT = "fairlead.dev/serving-certificate-sha256";

  private NodeObjectBuilder() {}

  /// What a node registers as.
  public static ObjectNode registration(NodeIdentity node) {
    ObjectNode object = Json.object().put("kind", "Node").put("apiVersion", "v1");
    ObjectNode metadata = object.putObject("metadata").put("name", node.name());
    metadata.set("labels", labels(node));
    if (!node.fingerprint().isEmpty()) {
      metadata.putObject("annotations").put(FINGERPRINT, node.fingerprint());
    }
    ObjectNode spec = object.putObject("spec");
    if (!node.podRanges().isEmpty()) {
      spec.put("podCIDR", node.podRanges().getFirst().toString());
      ArrayNode ranges = spec.putArray("podCIDRs");
      node.podRanges().stream().map(Cidr::toString).forEach(ranges::add);
    }
    return object;
  }

  /// The labels every node has, and those it was given.
  static ObjectNode labels(NodeIdentity node) {
    Map<String, String> labels = new TreeMap<>(node.labels());
    String architecture = MachineInfo.architecture();
    labels.put("kubernetes.io/hostname", node.name());
    labels.put("kubernetes.io/os", "linux");
    labels.put("kubernetes.io/arch", architecture);
    labels.put("beta.kubernetes.io/os", "linux");
    labels.put("beta.kubernetes.io/arch", architecture);
    ObjectNode object = Json.object();
    labels.forEach(object::put);
    return object;
  }

  /// The status.
  ///
  /// @param problem why no pods can run; empty when they can
  /// @param before the conditions as they were, for the moments of change
  public static ObjectNode status(
      NodeIdentity node,
      MachineInfo machine,
      Optional<String> problem,
      JsonNode before,
      Instant now) {
    ObjectNode status = Json.object();
    ArrayNode addresses = status.putArray("addresses");
    node.addresses()
        .forEach(one -> addresses.addObject().put("type", "InternalIP").put("address", one));
    addresses.addObject().put("type", "Hostname").put("address", node.name());
    for (String list : new String[] {"capacity", "allocatable"}) {
      ObjectNode resources = status.putObject(list);
      new TreeMap<>(machine.capacity())
          .forEach((name, quantity) -> resources.put(name, quantity.toString()));
    }
    if (node.port() > 0) {
      status.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", node.port());
    }
    ObjectNode info = status.putObject("nodeInfo");
    new TreeMap<>(machine.facts()).forEach(info::put);
    info.put("containerRuntimeVersion", node.runtime());
    info.put("kubeletVersion", node.version());
    info.put("kubeProxyVersion", node.version());
    ArrayNode conditions = status.putArray("conditions");
    for (String kind : new String[] {"Memory", "Disk", "PID"}) {
      String reason = "KubeletHas" + (kind.equals("Disk") ? "NoDiskPressure" : "Sufficient" + kind);
      String words =
          kind.equals("Disk")
              ? "kubelet has no disk pressure"
              : "kubelet has sufficient " + kind + " available";
      conditions.add(
          condition(
              kind + "Pressure", false, reason, words.replace("Memory", "memory"), before, now));
    }
    conditions.add(
        condition(
            "Ready",
            problem.isEmpty(),
            problem.isEmpty() ? "KubeletReady" : "KubeletNotReady",
            problem.orElse("kubelet is posting ready status"),
            before,
            now));
    return status;
  }

  /// What is allocatable of resources that others announce in the node's capacity: all of it. A
  /// merge patch of that list; empty when it is so already.
  ///
  /// @param status the node's status as it is
  /// @param own what the agent reports by itself
  static ObjectNode allocatableOfOthers(JsonNode status, Set<String> own) {
    ObjectNode patch = Json.object();
    JsonNode capacity = status.path("capacity");
    JsonNode allocatable = status.path("allocatable");
    for (Map.Entry<String, JsonNode> one : capacity.properties()) {
      if (!own.contains(one.getKey()) && !one.getValue().equals(allocatable.get(one.getKey()))) {
        patch.set(one.getKey(), one.getValue());
      }
    }
    for (String name : allocatable.propertyNames()) {
      if (!own.contains(name) && !capacity.has(name)) {
        patch.putNull(name);
      }
    }
    return patch;
  }

  private static ObjectNode condition(
      String type, boolean holds, String reason, String message, JsonNode before, Instant now) {
    String moment = now.truncatedTo(ChronoUnit.SECONDS).toString();
    String status = holds ? "True" : "False";
    String since = moment;
    for (JsonNode old : before) {
      if (Json.textOr(old, "", "type").equals(type)
          && Json.textOr(old, "", "status").equals(status)) {
        since = Json.textOr(old, moment, "lastTransitionTime");
      }
    }
    return Json.object()
        .put("type", type)
        .put("status", status)
        .put("reason", reason)
        .put("message", message)
        .put("lastHeartbeatTime", moment)
        .put("lastTransitionTime", since);
  }

  /// The lease that says the node lives.
  public static ObjectNode lease(NodeIdentity node, String uid, Instant now) {
    ObjectNode lease =
        Json.object().put("kind", "Lease").put("apiVersion", "coordination.k8s.io/v1");
    ObjectNode metadata =
        lease.putObject("metadata").put("name", node.name()).put("namespace", "kube-node-lease");
    if (!uid.isEmpty()) {
      metadata
          .putArray("ownerReferences")
          .addObject()
          .put("apiVersion", "v1")
          .put("kind", "Node")
          .put("name", node.name())
          .put("uid", uid);
    }
    lease
        .putObject("spec")
        .put("holderIdentity", node.name())
        .put("leaseDurationSeconds", 40)
        .put("renewTime", micros(now));
    return lease;
  }

  static String micros(Instant now) {
    return java.time.format.DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
        .withZone(java.time.ZoneOffset.UTC)
        .format(now);
  }
}
