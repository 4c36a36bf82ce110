package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Everything the table of one family holds, as data.
public record PolicyPlan(
    IpAddress.Family family, Map<PolicySet, Map<PlanKey, PlanValue>> elements) {
  public PolicyPlan {
    Map<PolicySet, Map<PlanKey, PlanValue>> copy = new EnumMap<>(PolicySet.class);
    for (PolicySet set : PolicySet.values()) {
      copy.put(set, Map.copyOf(elements.getOrDefault(set, Map.of())));
    }
    elements = java.util.Collections.unmodifiableMap(copy);
  }

  public static PolicyPlan empty(IpAddress.Family family) {
    return new PolicyPlan(family, Map.of());
  }

  public Map<PlanKey, PlanValue> of(PolicySet set) {
    return elements.getOrDefault(set, Map.of());
  }

  /// Whether both say the same about every packet, whatever numbers they use for it.
  public boolean samePlan(PolicyPlan other) {
    return family == other.family && described().equals(other.described());
  }

  /// The elements with each number replaced by what it stands for: a class by the addresses that
  /// have it, a grant by its ports.
  Map<PolicySet, Map<String, String>> described() {
    Map<Integer, TreeSet<String>> classes = new HashMap<>();
    for (PolicySet set : new PolicySet[] {PolicySet.CLASSES, PolicySet.BLOCKS}) {
      of(set)
          .forEach(
              (key, value) ->
                  classes
                      .computeIfAbsent(value.number(), _ -> new TreeSet<>())
                      .add(key.toString()));
    }
    Map<Integer, TreeSet<String>> grants = new HashMap<>();
    grants.put(0, new TreeSet<>(java.util.Set.of("nothing")));
    grants.put(1, new TreeSet<>(java.util.Set.of("everything")));
    for (PolicySet set : new PolicySet[] {PolicySet.PORTS, PolicySet.PORT_RANGES}) {
      for (PlanKey key : of(set).keySet()) {
        PlanKey.OfPorts ports = (PlanKey.OfPorts) key;
        grants.computeIfAbsent(ports.number(), _ -> new TreeSet<>()).add(ports.ports().toString());
      }
    }
    Map<PolicySet, Map<String, String>> described = new EnumMap<>(PolicySet.class);
    for (PolicySet set : PolicySet.values()) {
      Map<String, String> texts = new TreeMap<>();
      of(set)
          .forEach(
              (key, value) ->
                  texts.put(key(key, classes, grants), value(set, value, classes, grants)));
      described.put(set, texts);
    }
    return described;
  }

  private static String key(
      PlanKey key, Map<Integer, TreeSet<String>> classes, Map<Integer, TreeSet<String>> grants) {
    return switch (key) {
      case PlanKey.OfAddress _, PlanKey.OfRange _ -> key.toString();
      case PlanKey.OfPair(int number, IpAddress address) -> classes.get(number) + " . " + address;
      case PlanKey.OfPorts(int number, Grant.Ports ports) -> grants.get(number) + " . " + ports;
    };
  }

  private static String value(
      PolicySet set,
      PlanValue value,
      Map<Integer, TreeSet<String>> classes,
      Map<Integer, TreeSet<String>> grants) {
    return switch (set) {
      case CLASSES, BLOCKS -> classes.get(value.number()) + " " + value.comment();
      case PORTS, PORT_RANGES, PODS, SELVES, EGRESS_DROPS, INGRESS_DROPS -> value.comment();
      default -> grants.get(value.number()) + " " + value.comment();
    };
  }
}
