package io.fairlead.insight.simulate;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The objects as they would be after some changes, one after the other. Slices are not among what
/// changes here: their controller follows.
///
/// @param down nodes that would be silent
/// @param gone pods that would end with all their connections
/// @param ignored objects of files that traffic to Services does not depend on
record ChangedCluster(
    ClusterObjects objects, Set<String> down, Set<ObjectKey> gone, List<String> ignored) {
  private static final Set<String> WORKLOADS = Set.of("Deployment", "ReplicaSet", "StatefulSet");
  private static final Set<String> STORED =
      Set.of("NetworkPolicy", "Namespace", "EndpointSlice", "Node");

  ChangedCluster {
    down = Set.copyOf(down);
    gone = Set.copyOf(gone);
    ignored = List.copyOf(ignored);
  }

  static ChangedCluster of(ClusterObjects before, List<ProposedChange> changes, Instant now)
      throws ProposedChange.MissingException {
    ChangedCluster cluster = new ChangedCluster(before, Set.of(), Set.of(), List.of());
    for (ProposedChange change : changes) {
      cluster = cluster.after(change, now);
    }
    return cluster;
  }

  private ChangedCluster after(ProposedChange change, Instant now)
      throws ProposedChange.MissingException {
    return switch (change) {
      case ProposedChange.Applied(ObjectNode object) -> applied(object, now);
      case ProposedChange.Scaled(String kind, ObjectKey key, int replicas) ->
          scaled(found(kind, key), replicas, now);
      case ProposedChange.Killed(ObjectKey pod) -> killed(ObjectKey.of(found("Pod", pod)));
      case ProposedChange.NotReady(ObjectKey pod) ->
          with(objects.with(unready(found("Pod", pod), now)));
      case ProposedChange.Labelled(ObjectKey pod, String label, String value) ->
          with(objects.with(labelled(found("Pod", pod), label, value)));
      case ProposedChange.NodeDown(String node) ->
          down(found("Node", new ObjectKey("", node)), now);
      case ProposedChange.ModeChanged _ -> this;
    };
  }

  private ObjectNode found(String kind, ObjectKey key) throws ProposedChange.MissingException {
    Optional<ObjectNode> found = objects.find(kind, key);
    if (found.isEmpty()) {
      throw new ProposedChange.MissingException(
          kind.toLowerCase(java.util.Locale.ROOT)
              + "/"
              + (key.namespace().isEmpty() ? key.name() : key.toString()));
    }
    return found.get();
  }

  private ChangedCluster with(ClusterObjects other) {
    return new ChangedCluster(other, down, gone, ignored);
  }

  private ChangedCluster killed(ObjectKey pod) {
    Set<ObjectKey> ended = new TreeSet<>(java.util.Comparator.comparing(ObjectKey::toString));
    ended.addAll(gone);
    ended.add(pod);
    return new ChangedCluster(objects.without("Pod", pod), down, ended, ignored);
  }

  private static ObjectNode unready(ObjectNode pod, Instant now) {
    ObjectNode copy = pod.deepCopy();
    condition(copy, "False", now);
    for (JsonNode container : copy.path("status").path("containerStatuses")) {
      if (container instanceof ObjectNode one) {
        one.put("ready", false);
      }
    }
    return copy;
  }

  private static void condition(ObjectNode object, String status, Instant now) {
    ObjectNode root = Json.child(object, "status");
    ArrayNode conditions =
        root.path("conditions") instanceof ArrayNode list ? list : root.putArray("conditions");
    for (int i = conditions.size() - 1; i >= 0; i--) {
      if (Json.textOr(conditions.get(i), "", "type").equals("Ready")) {
        conditions.remove(i);
      }
    }
    conditions
        .addObject()
        .put("type", "Ready")
        .put("status", status)
        .put("lastTransitionTime", now.toString());
  }

  private static ObjectNode labelled(ObjectNode pod, String label, String value) {
    ObjectNode copy = pod.deepCopy();
    ObjectNode labels = Json.child(Json.child(copy, "metadata"), "labels");
    if (value.isEmpty()) {
      labels.remove(label);
    } else {
      labels.put(label, value);
    }
    return copy;
  }

  private ChangedCluster down(ObjectNode node, Instant now) {
    String name = ObjectKey.of(node).name();
    ObjectNode silent = node.deepCopy();
    condition(silent, "Unknown", now);
    ClusterObjects changed = objects.with(silent);
    Set<ObjectKey> ended = new TreeSet<>(java.util.Comparator.comparing(ObjectKey::toString));
    ended.addAll(gone);
    for (ObjectNode pod : objects.all("Pod")) {
      if (Json.textOr(pod, "", "spec", "nodeName").equals(name)) {
        changed = changed.with(unready(pod, now));
        ended.add(ObjectKey.of(pod));
      }
    }
    Set<String> nodes = new TreeSet<>(down);
    nodes.add(name);
    return new ChangedCluster(changed, nodes, ended, ignored);
  }

  private ChangedCluster scaled(ObjectNode workload, int replicas, Instant now) {
    ObjectNode copy = workload.deepCopy();
    Json.child(copy, "spec").put("replicas", replicas);
    WorkloadPods pods = WorkloadPods.of(objects, workload);
    ChangedCluster changed = with(objects.with(copy));
    List<ObjectNode> present = pods.inDeletionOrder();
    for (ObjectNode pod : present.subList(0, Math.max(0, present.size() - replicas))) {
      changed = changed.killed(ObjectKey.of(pod));
    }
    for (int i = present.size(); i < replicas; i++) {
      changed =
          changed.with(
              PlaceholderPods.add(
                  changed.objects(),
                  ObjectKey.of(workload).name(),
                  pods.owner(),
                  copy.path("spec").path("template"),
                  now));
    }
    return changed;
  }

  private ChangedCluster applied(ObjectNode object, Instant now) {
    String kind = Json.textOr(object, "", "kind");
    Optional<ObjectNode> old = objects.find(kind, ObjectKey.of(object));
    if (WORKLOADS.contains(kind)) {
      return workload(object, old, now);
    }
    if (STORED.contains(kind)) {
      return with(objects.with(object));
    }
    return switch (kind) {
      case "Service" -> with(objects.with(ProposedObjects.service(objects, object, old)));
      case "Pod" -> with(ProposedObjects.pod(objects, object, old, now));
      default -> {
        List<String> more = new ArrayList<>(ignored);
        more.add(kind + "/" + ObjectKey.of(object).name());
        yield new ChangedCluster(objects, down, gone, more);
      }
    };
  }

  /// A workload whose pods stay as they are is only scaled; another template replaces all pods.
  private ChangedCluster workload(ObjectNode object, Optional<ObjectNode> old, Instant now) {
    int replicas =
        object
            .path("spec")
            .path("replicas")
            .asInt(old.map(each -> each.path("spec").path("replicas").asInt(1)).orElse(1));
    ObjectNode merged = old.map(each -> ProposedObjects.over(each, object)).orElse(object);
    ChangedCluster changed = with(objects.with(merged));
    if (old.isPresent() && !ProposedObjects.samePods(old.get(), object)) {
      for (ObjectNode pod : WorkloadPods.of(objects, old.get()).inDeletionOrder()) {
        changed = changed.killed(ObjectKey.of(pod));
      }
    }
    return changed.scaled(merged, replicas, now);
  }
}
