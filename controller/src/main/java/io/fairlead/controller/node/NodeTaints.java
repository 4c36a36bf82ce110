package io.fairlead.controller.node;

import io.fairlead.controller.placement.Node;
import io.fairlead.controller.placement.Taint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The taints that follow from what a node says about itself.
final class NodeTaints {
  private static final Set<String> MIRRORED =
      Set.of(
          Taint.NOT_READY,
          Taint.UNREACHABLE,
          Taint.UNSCHEDULABLE,
          Taint.MEMORY_PRESSURE,
          Taint.DISK_PRESSURE,
          Taint.PID_PRESSURE,
          Taint.NETWORK_UNAVAILABLE);
  private static final Map<String, String> PRESSURES = pressures();

  private NodeTaints() {}

  private static Map<String, String> pressures() {
    Map<String, String> pressures = new LinkedHashMap<>();
    pressures.put("MemoryPressure", Taint.MEMORY_PRESSURE);
    pressures.put("DiskPressure", Taint.DISK_PRESSURE);
    pressures.put("PIDPressure", Taint.PID_PRESSURE);
    pressures.put("NetworkUnavailable", Taint.NETWORK_UNAVAILABLE);
    return pressures;
  }

  /// The key of what is wrong with the node itself; empty when it is ready.
  static Optional<String> trouble(Node node) {
    return switch (node.conditions().getOrDefault("Ready", "")) {
      case "True", "" -> Optional.empty();
      case "False" -> Optional.of(Taint.NOT_READY);
      default -> Optional.of(Taint.UNREACHABLE);
    };
  }

  /// All taints the node shall have: of those against new pods exactly the ones that follow from
  /// its conditions, of those that drive pods away the one it is given, and those of others.
  ///
  /// @param driveAway whether pods shall leave a node in trouble
  static List<Taint> wanted(Node node, boolean driveAway) {
    List<Taint> wanted = new ArrayList<>();
    for (Taint taint : node.taints()) {
      boolean ours =
          taint.effect().equals(Taint.NO_SCHEDULE)
              ? MIRRORED.contains(taint.key())
              : taint.effect().equals(Taint.NO_EXECUTE) && isTrouble(taint);
      if (!ours) {
        wanted.add(taint);
      }
    }
    trouble(node).ifPresent(key -> wanted.add(new Taint(key, "", Taint.NO_SCHEDULE)));
    PRESSURES.forEach(
        (condition, key) -> {
          if (node.conditions().getOrDefault(condition, "").equals("True")) {
            wanted.add(new Taint(key, "", Taint.NO_SCHEDULE));
          }
        });
    if (node.unschedulable()) {
      wanted.add(new Taint(Taint.UNSCHEDULABLE, "", Taint.NO_SCHEDULE));
    }
    if (driveAway) {
      trouble(node).ifPresent(key -> wanted.add(new Taint(key, "", Taint.NO_EXECUTE)));
    }
    return wanted;
  }

  static boolean drivesAway(Node node) {
    return node.taints().stream()
        .anyMatch(taint -> taint.effect().equals(Taint.NO_EXECUTE) && isTrouble(taint));
  }

  private static boolean isTrouble(Taint taint) {
    return taint.key().equals(Taint.NOT_READY) || taint.key().equals(Taint.UNREACHABLE);
  }
}
