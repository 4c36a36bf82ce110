package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NodeReportLeases;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.NodeUser;
import io.fairlead.server.resource.ResourceDescriptor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a node may write, looked at from inside the objects (the NodeRestriction of
/// kube-apiserver): only its own Node and Lease, and there no labels, taints or owners by which it
/// could attract pods or have objects deleted (CVE-2025-5187); of the pods bound to it only their
/// status. Holds whatever roles are bound to nodes, and for the user that all nodes have in common.
/// Mirror pods are looked at when pods are admitted, tokens when they are issued. Pure.
final class NodeRestriction {
  private static final String LEASES = "kube-node-lease";
  private static final String POLICY = "system:fairlead-policy";
  private static final String MIRROR = "kubernetes.io/config.mirror";

  /// Label keys and namespaces of keys of kubernetes.io and k8s.io that an agent may set.
  private static final Set<String> AGENT_LABELS =
      Set.of(
          "beta.kubernetes.io/arch",
          "beta.kubernetes.io/instance-type",
          "beta.kubernetes.io/os",
          "failure-domain.beta.kubernetes.io/region",
          "failure-domain.beta.kubernetes.io/zone",
          "kubernetes.io/arch",
          "kubernetes.io/hostname",
          "kubernetes.io/os",
          "node.kubernetes.io/instance-type",
          "topology.kubernetes.io/region",
          "topology.kubernetes.io/zone");

  private static final List<String> AGENT_NAMESPACES =
      List.of("kubelet.kubernetes.io", "node.kubernetes.io");

  private NodeRestriction() {}

  /// @throws ApiException 403 when the user is a node and may not create this
  static void checkCreate(ResourceRequest call, ObjectNode object) {
    String node = node(call);
    if (node == null) {
      return;
    }
    String name = ObjectMetadata.name(object);
    switch (resource(call)) {
      case "nodes" -> {
        requireOwn(call, node, name);
        requireLabels(call, node, "set the following labels", object, Json.object());
        if (!object.path("metadata").path("ownerReferences").isEmpty()) {
          throw refused(call, name, node, "is not allowed to set ownerReferences");
        }
        requireFreeRanges(call, node, object, Json.object());
      }
      case "leases.coordination.k8s.io" -> requireLease(call, node, name, object);
      default -> {}
    }
  }

  /// @throws ApiException 403 when the user is a node and may not change `old` to `next`
  static void checkUpdate(ResourceRequest call, ObjectNode next, ObjectNode old) {
    if (call.user().name().equals(POLICY) && resource(call).equals("nodes")) {
      requireConditionsOnly(call, next, old);
    }
    String node = node(call);
    if (node == null) {
      return;
    }
    switch (resource(call)) {
      case "nodes" -> {
        requireOwn(call, node, call.name());
        requireLabels(call, node, "modify labels", next, old);
        requireSame(call, node, next, old, "metadata", "ownerReferences");
        requireSame(call, node, next, old, "spec", "taints");
        requireFreeRanges(call, node, next, old);
      }
      case "leases.coordination.k8s.io" -> requireLease(call, node, call.name(), next);
      case "pods" -> checkPod(call, node, next, old);
      default -> {}
    }
  }

  /// @throws ApiException 403 when the user is a node and may not delete this
  static void checkDelete(ResourceRequest call, ObjectNode object) {
    String node = node(call);
    if (node == null) {
      return;
    }
    switch (resource(call)) {
      case "nodes" -> requireOwn(call, node, call.name());
      case "leases.coordination.k8s.io" -> requireLease(call, node, call.name(), Json.object());
      case "pods" -> {
        if (!isOn(node, object)) {
          throw refused(
              call, call.name(), node, "can only delete pods with spec.nodeName set to itself");
        }
      }
      default -> {}
    }
  }

  /// The component that enforces policies is one user on all nodes. It reports a condition; with
  /// addresses or annotations of other Nodes, a node that was broken into could take their place.
  private static void requireConditionsOnly(ResourceRequest call, ObjectNode next, ObjectNode old) {
    if (!withoutConditions(next).equals(withoutConditions(old))) {
      throw ApiException.forbidden(
          "", "nodes", call.name(), "user \"" + POLICY + "\" can only change conditions of a Node");
    }
  }

  private static ObjectNode withoutConditions(ObjectNode node) {
    ObjectNode copy = node.deepCopy();
    Json.child(copy, "status").remove("conditions");
    Json.child(copy, "metadata").remove(List.of("managedFields", "resourceVersion"));
    return copy;
  }

  private static void checkPod(ResourceRequest call, String node, ObjectNode next, ObjectNode old) {
    if (!call.info().subresource().equals("status")
        && !call.info().subresource().equals("eviction")) {
      throw refused(call, call.name(), node, "can only update pod status");
    }
    if (!isOn(node, old)) {
      throw refused(
          call,
          call.name(),
          node,
          "can only update pod status for pods with spec.nodeName set to itself");
    }
    for (String field : List.of("labels", "finalizers")) {
      if (!next.path("metadata").path(field).equals(old.path("metadata").path(field))) {
        throw refused(call, call.name(), node, "cannot update " + field + " through pod status");
      }
    }
    if (!annotation(next).equals(annotation(old))) {
      throw refused(call, call.name(), node, "cannot update the annotation " + MIRROR);
    }
  }

  private static JsonNode annotation(ObjectNode pod) {
    return pod.path("metadata").path("annotations").path(MIRROR);
  }

  private static boolean isOn(String node, ObjectNode pod) {
    return Json.textOr(pod, "", "spec", "nodeName").equals(node);
  }

  private static void requireOwn(ResourceRequest call, String node, String name) {
    if (!name.equals(node)) {
      throw refused(call, name, node, "is not allowed to modify node \"" + name + "\"");
    }
  }

  /// Its own heartbeat, or what a component on it reports, held by no other node: components
  /// believe the holder.
  private static void requireLease(
      ResourceRequest call, String node, String name, ObjectNode lease) {
    if (!Json.textOr(lease, node, "spec", "holderIdentity").equals(node)) {
      throw refused(call, name, node, "can only hold leases itself");
    }
    if (call.namespace().equals(NodeReportLeases.NAMESPACE) && NodeReportLeases.isOf(node, name)) {
      return;
    }
    if (!call.namespace().equals(LEASES)) {
      throw refused(
          call, name, node, "can only access leases in the \"" + LEASES + "\" system namespace");
    }
    if (!name.equals(node)) {
      throw refused(
          call, name, node, "can only access node lease with the same name as the requesting node");
    }
  }

  private static void requireSame(
      ResourceRequest call,
      String node,
      ObjectNode next,
      ObjectNode old,
      String parent,
      String field) {
    if (!next.path(parent).path(field).equals(old.path(parent).path(field))) {
      throw refused(call, call.name(), node, "is not allowed to modify " + field);
    }
  }

  /// A node may say which addresses its pods have, but not take those of other nodes' pods or of
  /// Services: with `0.0.0.0/0` no other node would get a range and no Service a balancer's
  /// address.
  private static void requireFreeRanges(
      ResourceRequest call, String node, ObjectNode next, ObjectNode old) {
    Set<Cidr> wanted = ranges(next);
    wanted.removeAll(ranges(old));
    if (wanted.isEmpty()) {
      return;
    }
    Set<Cidr> taken = new HashSet<>();
    for (ObjectNode other : call.reader().list("", "nodes", "")) {
      if (!ObjectMetadata.name(other).equals(node)) {
        taken.addAll(ranges(other));
      }
    }
    for (ObjectNode range : call.reader().list("networking.k8s.io", "servicecidrs", "")) {
      range.path("spec").path("cidrs").forEach(text -> add(text, taken));
    }
    for (Cidr range : wanted) {
      if (taken.stream().anyMatch(range::overlaps)) {
        throw refused(
            call,
            node,
            node,
            "is not allowed to take the range "
                + range
                + ", parts of which"
                + " belong to Services or to pods of other nodes");
      }
    }
  }

  private static Set<Cidr> ranges(ObjectNode node) {
    Set<Cidr> ranges = new HashSet<>();
    add(node.path("spec").path("podCIDR"), ranges);
    node.path("spec").path("podCIDRs").forEach(text -> add(text, ranges));
    return ranges;
  }

  private static void add(JsonNode text, Set<Cidr> ranges) {
    Cidr range = Cidr.parseOrNull(text.asString(""));
    if (range != null) {
      ranges.add(range);
    }
  }

  private static void requireLabels(
      ResourceRequest call, String node, String what, ObjectNode next, ObjectNode old) {
    JsonNode now = next.path("metadata").path("labels");
    JsonNode before = old.path("metadata").path("labels");
    Set<String> keys = new TreeSet<>(now.propertyNames());
    keys.addAll(before.propertyNames());
    keys.removeIf(key -> now.path(key).equals(before.path(key)) || isAgents(key));
    if (!keys.isEmpty()) {
      throw refused(
          call, call.name(), node, "is not allowed to " + what + ": " + String.join(", ", keys));
    }
  }

  /// Whether an agent may set that label on its Node.
  private static boolean isAgents(String key) {
    int slash = key.indexOf('/');
    String namespace = slash < 0 ? "" : key.substring(0, slash);
    if (isIn(namespace, "node-restriction.kubernetes.io")) {
      return false;
    }
    if (!isIn(namespace, "kubernetes.io") && !isIn(namespace, "k8s.io")) {
      return true;
    }
    return AGENT_LABELS.contains(key)
        || AGENT_NAMESPACES.stream().anyMatch(each -> isIn(namespace, each));
  }

  private static boolean isIn(String namespace, String domain) {
    return namespace.equals(domain) || namespace.endsWith("." + domain);
  }

  /// As in `leases.coordination.k8s.io`.
  private static String resource(ResourceRequest call) {
    ResourceDescriptor descriptor = call.descriptor();
    return descriptor.group().isEmpty()
        ? descriptor.plural()
        : descriptor.plural() + "." + descriptor.group();
  }

  private static @Nullable String node(ResourceRequest call) {
    return NodeUser.of(call.user());
  }

  private static ApiException refused(ResourceRequest call, String name, String node, String why) {
    ResourceDescriptor descriptor = call.descriptor();
    return ApiException.forbidden(
        descriptor.group(), descriptor.plural(), name, "node \"" + node + "\" " + why);
  }
}
