package io.fairlead.controller.mirroring;

import io.fairlead.api.json.Json;
import io.fairlead.controller.endpoints.EndpointsObject;
import io.fairlead.controller.serving.TriggerTimeTracker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What has to be written so that the slices say what the Endpoints say. Pure.
///
/// One slice for each subset and family, never packed. A slice that has to change keeps its name,
/// and one that has to go is used for one that has to come, where the family is the same.
///
/// @param creates new objects
/// @param updates objects to put in the place of those of their names
record MirrorPlan(List<ObjectNode> creates, List<ObjectNode> updates, List<MirroredSlice> deletes) {
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
  private static final int LONGEST_NAME = 253;

  /// Nothing is mirrored: all goes.
  static MirrorPlan none(List<MirroredSlice> present) {
    return new MirrorPlan(List.of(), List.of(), present);
  }

  static MirrorPlan of(
      EndpointsObject endpoints, MirroredEndpoints copies, List<MirroredSlice> present) {
    Map<MirroredEndpoints.Group, MirroredSlice> kept = new HashMap<>();
    Map<String, Deque<MirroredSlice>> spare = new HashMap<>();
    List<MirroredSlice> ordered = new ArrayList<>(present);
    ordered.sort(Comparator.comparing(slice -> slice.metadata().name()));
    for (MirroredSlice slice : ordered) {
      MirroredEndpoints.Group group =
          new MirroredEndpoints.Group(slice.addressType(), slice.ports());
      if (!copies.slices().containsKey(group) || kept.putIfAbsent(group, slice) != null) {
        spare.computeIfAbsent(slice.addressType(), _ -> new ArrayDeque<>()).add(slice);
      }
    }
    List<ObjectNode> creates = new ArrayList<>();
    List<ObjectNode> updates = new ArrayList<>();
    Draft draft = new Draft(endpoints);
    copies
        .slices()
        .forEach(
            (group, entries) -> {
              MirroredSlice own = kept.get(group);
              if (own != null && draft.isIn(own, entries)) {
                return;
              }
              Optional<MirroredSlice> base =
                  own != null
                      ? Optional.of(own)
                      : Optional.ofNullable(spare.get(group.addressType())).map(Deque::poll);
              (base.isPresent() ? updates : creates).add(draft.object(group, entries, base));
            });
    List<MirroredSlice> deletes = new ArrayList<>();
    spare.values().forEach(deletes::addAll);
    boolean going = endpoints.metadata().beingDeleted();
    return new MirrorPlan(going ? List.of() : creates, updates, deletes);
  }

  boolean isEmpty() {
    return creates.isEmpty() && updates.isEmpty() && deletes.isEmpty();
  }

  /// What all slices of one Endpoints object have in common.
  private record Draft(
      EndpointsObject endpoints, Map<String, String> labels, Map<String, String> annotations) {
    Draft(EndpointsObject endpoints) {
      Map<String, String> labels = new TreeMap<>(endpoints.metadata().labels());
      labels.put(MirroredSlice.SERVICE_NAME, endpoints.key().name());
      labels.put(MirroredSlice.MANAGED_BY, MirroredSlice.MANAGER);
      Map<String, String> annotations = new TreeMap<>(endpoints.annotations());
      annotations.remove(TriggerTimeTracker.ANNOTATION);
      annotations.remove(LAST_APPLIED);
      this(endpoints, labels, annotations);
    }

    boolean isIn(MirroredSlice slice, ArrayNode entries) {
      return slice.endpoints().equals(entries)
          && slice.metadata().labels().equals(labels)
          && slice.annotations().equals(annotations)
          && slice.ownedBy(endpoints.metadata().uid());
    }

    /// @param base the slice it takes the place of
    ObjectNode object(
        MirroredEndpoints.Group group, ArrayNode entries, Optional<MirroredSlice> base) {
      ObjectNode slice =
          Json.object().put("kind", "EndpointSlice").put("apiVersion", "discovery.k8s.io/v1");
      ObjectNode metadata = slice.putObject("metadata");
      base.ifPresentOrElse(
          old -> replacing(metadata, old), () -> metadata.put("generateName", prefix()));
      metadata.put("namespace", endpoints.key().namespace());
      labels.forEach(Json.child(metadata, "labels")::put);
      if (!annotations.isEmpty()) {
        annotations.forEach(Json.child(metadata, "annotations")::put);
      }
      metadata
          .putArray("ownerReferences")
          .addObject()
          .put("apiVersion", "v1")
          .put("kind", "Endpoints")
          .put("name", endpoints.key().name())
          .put("uid", endpoints.metadata().uid())
          .put("controller", true)
          .put("blockOwnerDeletion", true);
      slice.put("addressType", group.addressType());
      slice.set("endpoints", entries);
      ArrayNode ports = slice.putArray("ports");
      group.ports().forEach(ports::add);
      return slice;
    }

    private static void replacing(ObjectNode metadata, MirroredSlice old) {
      metadata
          .put("name", old.metadata().name())
          .put("resourceVersion", old.metadata().resourceVersion());
      if (!old.metadata().finalizers().isEmpty()) {
        ArrayNode finalizers = metadata.putArray("finalizers");
        old.metadata().finalizers().forEach(finalizers::add);
      }
    }

    private String prefix() {
      String name = endpoints.key().name();
      return name.length() < LONGEST_NAME ? name + "-" : name;
    }
  }
}
