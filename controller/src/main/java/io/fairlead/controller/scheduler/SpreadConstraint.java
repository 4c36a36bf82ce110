package io.fairlead.controller.scheduler;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ObjectMeta;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// How evenly pods shall be spread over the values of a node label.
///
/// @param hard a node that breaks it is out of question; otherwise it only scores less
/// @param owner when not empty, pods of this controller count and no others, whatever the selector
/// @param minDomains so many values must have pods before the least of them counts
record SpreadConstraint(
    String topologyKey,
    int maxSkew,
    boolean hard,
    int minDomains,
    LabelSelector selector,
    String owner,
    boolean honourAffinity,
    boolean honourTaints) {

  static List<SpreadConstraint> of(JsonNode list, ObjectMeta pod) {
    List<SpreadConstraint> read = new ArrayList<>();
    for (JsonNode one : list) {
      read.add(
          new SpreadConstraint(
              Json.textOr(one, "", "topologyKey"),
              one.path("maxSkew").asInt(1),
              Json.textOr(one, "DoNotSchedule", "whenUnsatisfiable").equals("DoNotSchedule"),
              one.path("minDomains").asInt(1),
              selector(one, pod),
              "",
              Json.textOr(one, "Honor", "nodeAffinityPolicy").equals("Honor"),
              Json.textOr(one, "Ignore", "nodeTaintsPolicy").equals("Honor")));
    }
    return read;
  }

  /// The selector, narrowed by the pod's own values of `matchLabelKeys`.
  static LabelSelector selector(JsonNode constraint, ObjectMeta pod) {
    if (!(constraint.get("labelSelector") instanceof ObjectNode given)) {
      return LabelSelector.NOTHING;
    }
    Map<String, String> own = new LinkedHashMap<>();
    for (JsonNode key : constraint.path("matchLabelKeys")) {
      String value = pod.labels().get(key.asString(""));
      if (value != null) {
        own.put(key.asString(""), value);
      }
    }
    ObjectNode narrowed = given.deepCopy();
    own.forEach((key, value) -> Json.child(narrowed, "matchLabels").put(key, value));
    return LabelSelector.of(narrowed);
  }

  /// What pods of a Service or a set get who ask for nothing themselves.
  ///
  /// @param owner uid of the set, or empty
  /// @param selector of the Service, for pods of no set
  static List<SpreadConstraint> standard(String owner, LabelSelector selector) {
    return List.of(
        new SpreadConstraint("kubernetes.io/hostname", 3, false, 1, selector, owner, true, false),
        new SpreadConstraint(
            "topology.kubernetes.io/zone", 5, false, 1, selector, owner, true, false));
  }

  /// Whether a pod counts where it is.
  boolean counts(PodInfo other, String namespace) {
    if (!other.namespace().equals(namespace) || other.metadata().beingDeleted()) {
      return false;
    }
    return owner.isEmpty() ? selector.matches(other.labels()) : other.controllerUid().equals(owner);
  }

  /// Whether a node counts at all: one that the pod may not be on does not, if so asked.
  boolean counts(PodInfo pod, NodeInfo place) {
    return (!honourAffinity || pod.nodes().matches(place.node()))
        && (!honourTaints || place.untolerated(pod).isEmpty());
  }
}
