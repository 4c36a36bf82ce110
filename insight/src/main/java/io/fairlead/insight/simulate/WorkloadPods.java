package io.fairlead.insight.simulate;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// The pods of a workload.
///
/// @param owner what owns pods that are made: a Deployment's newest ReplicaSet, else the workload
record WorkloadPods(ObjectNode owner, List<ObjectNode> pods) {
  private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

  static WorkloadPods of(ClusterObjects objects, ObjectNode workload) {
    String kind = Json.textOr(workload, "", "kind");
    String namespace = ObjectKey.of(workload).namespace();
    List<ObjectNode> owners = new ArrayList<>();
    if (kind.equals("Deployment")) {
      objects.all("ReplicaSet", namespace).stream()
          .filter(set -> PlaceholderPods.isOwned(set, kind, workload))
          .sorted(Comparator.comparing(WorkloadPods::created))
          .forEach(owners::add);
    }
    if (owners.isEmpty()) {
      owners.add(workload);
    }
    List<ObjectNode> pods =
        objects.all("Pod", namespace).stream()
            .filter(
                pod ->
                    owners.stream()
                        .anyMatch(
                            owner ->
                                PlaceholderPods.isOwned(
                                    pod, Json.textOr(owner, "", "kind"), owner)))
            .filter(pod -> !FINISHED.contains(Json.textOr(pod, "", "status", "phase")))
            .filter(pod -> Json.text(pod, "metadata", "deletionTimestamp") == null)
            .toList();
    return new WorkloadPods(owners.getLast(), pods);
  }

  /// Those that go first come first: bound to no node, not ready, newest. The pods of a StatefulSet
  /// go by their numbers, the highest first.
  List<ObjectNode> inDeletionOrder() {
    boolean numbered = Json.textOr(owner, "", "kind").equals("StatefulSet");
    Comparator<ObjectNode> order =
        numbered
            ? Comparator.comparingInt(WorkloadPods::number).reversed()
            : Comparator.<ObjectNode, Boolean>comparing(
                    pod -> !Json.textOr(pod, "", "spec", "nodeName").isEmpty())
                .thenComparing(PlaceholderPods::isReady)
                .thenComparing(Comparator.comparing(WorkloadPods::created).reversed())
                .thenComparing(pod -> ObjectKey.of(pod).name());
    return pods.stream().sorted(order).toList();
  }

  private static int number(ObjectNode pod) {
    String name = ObjectKey.of(pod).name();
    String end = name.substring(name.lastIndexOf('-') + 1);
    return end.matches("[0-9]{1,9}") ? Integer.parseInt(end) : -1;
  }

  private static String created(ObjectNode object) {
    return Json.textOr(object, "", "metadata", "creationTimestamp");
  }
}
