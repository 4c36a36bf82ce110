package io.fairlead.controller.workload;

import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Pod;
import java.util.ArrayList;
import java.util.List;

/// How a pod failed: what its containers ended with and what was said about it. Only kept of pods
/// that failed.
///
/// @param exits of containers and init containers that ended
/// @param conditions as the pod has them
public record PodFailure(List<Exit> exits, List<Condition> conditions) {
  /// How one container ended.
  public record Exit(String container, int code) {}

  /// @param status `True`, `False` or `Unknown`
  public record Condition(String type, String status) {}

  /// Of a pod that has not failed.
  public static final PodFailure NONE = new PodFailure(List.of(), List.of());

  public PodFailure {
    exits = List.copyOf(exits);
    conditions = List.copyOf(conditions);
  }

  static PodFailure of(V1Pod.Status status) {
    if (!status.phase().equals("Failed")) {
      return NONE;
    }
    List<Exit> exits = new ArrayList<>();
    addExits(status.containers(), exits);
    addExits(status.initContainers(), exits);
    List<Condition> conditions = new ArrayList<>();
    for (V1Condition condition : status.conditions()) {
      conditions.add(new Condition(condition.type(), condition.status()));
    }
    return new PodFailure(exits, conditions);
  }

  private static void addExits(List<V1Pod.ContainerStatus> containers, List<Exit> exits) {
    for (V1Pod.ContainerStatus container : containers) {
      Integer code = container.exitCode();
      if (code != null) {
        exits.add(new Exit(container.name(), code));
      }
    }
  }
}
