package io.fairlead.insight.simulate;

import io.fairlead.api.json.Json;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.gather.Sources;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The objects that traffic to Services depends on, at one time. Immutable: a change makes another
/// one, and objects are copied before they are changed.
public final class ClusterObjects {
  /// What is read.
  static final List<ResourceType> TYPES =
      List.of(
          ResourceType.NAMESPACES,
          ResourceType.NODES,
          ResourceType.SERVICES,
          ResourceType.ENDPOINT_SLICES,
          ResourceType.PODS,
          ResourceType.DEPLOYMENTS,
          ResourceType.REPLICA_SETS,
          ResourceType.STATEFUL_SETS,
          PolicyModel.POLICIES);

  private static final int MOST = 100_000;

  private final Map<String, Map<ObjectKey, ObjectNode>> byKind;
  private final Map<String, Why> unseen;

  private ClusterObjects(Map<String, Map<ObjectKey, ObjectNode>> byKind, Map<String, Why> unseen) {
    this.byKind = Collections.unmodifiableMap(byKind);
    this.unseen = Map.copyOf(unseen);
  }

  /// A cluster without objects.
  public static ClusterObjects none() {
    return new ClusterObjects(new LinkedHashMap<>(), Map.of());
  }

  /// Reads all there is; where the user may not see all namespaces, those of one.
  public static ClusterObjects read(Sources sources, String namespace) {
    Map<String, Map<ObjectKey, ObjectNode>> byKind = new LinkedHashMap<>();
    Map<String, Why> unseen = new LinkedHashMap<>();
    for (ResourceType type : TYPES) {
      Evidence<List<ObjectNode>> found = list(sources, type, "");
      if (found instanceof Unseen<?> && type.namespaced()) {
        found = list(sources, type, namespace);
      }
      if (found instanceof Unseen<?>(Why why, _)) {
        unseen.put(type.kind(), why);
      }
      Map<ObjectKey, ObjectNode> objects = new LinkedHashMap<>();
      for (ObjectNode object : found.value().orElse(List.of())) {
        objects.put(ObjectKey.of(object), object.put("kind", type.kind()));
      }
      byKind.put(type.kind(), objects);
    }
    return new ClusterObjects(byKind, unseen);
  }

  private static Evidence<List<ObjectNode>> list(
      Sources sources, ResourceType type, String namespace) {
    return sources.list(
        type,
        namespace,
        ListOptions.ALL,
        MOST,
        object -> {
          Json.child(object, "metadata").remove("managedFields");
          return object;
        });
  }

  /// What could not be read, by kind.
  public Map<String, Why> unseen() {
    return unseen;
  }

  public List<ObjectNode> all(String kind) {
    return List.copyOf(byKind.getOrDefault(kind, Map.of()).values());
  }

  /// Those of one namespace.
  List<ObjectNode> all(String kind, String namespace) {
    return byKind.getOrDefault(kind, Map.of()).entrySet().stream()
        .filter(one -> one.getKey().namespace().equals(namespace))
        .map(Map.Entry::getValue)
        .toList();
  }

  public Optional<ObjectNode> find(String kind, ObjectKey key) {
    return Optional.ofNullable(byKind.getOrDefault(kind, Map.of()).get(key));
  }

  /// With an object added, or put in the place of the one with its name.
  public ClusterObjects with(ObjectNode object) {
    return change(Json.textOr(object, "", "kind"), objects -> put(objects, object));
  }

  private static void put(Map<ObjectKey, ObjectNode> objects, ObjectNode object) {
    objects.put(ObjectKey.of(object), object);
  }

  ClusterObjects without(String kind, ObjectKey key) {
    return change(kind, objects -> objects.remove(key));
  }

  private ClusterObjects change(
      String kind, java.util.function.Consumer<Map<ObjectKey, ObjectNode>> action) {
    Map<String, Map<ObjectKey, ObjectNode>> copy = new LinkedHashMap<>(byKind);
    Map<ObjectKey, ObjectNode> objects = new LinkedHashMap<>(byKind.getOrDefault(kind, Map.of()));
    action.accept(objects);
    copy.put(kind, objects);
    return new ClusterObjects(copy, unseen);
  }

  /// The slices of each Service, by its key.
  Map<ObjectKey, List<ObjectNode>> slicesByService() {
    Map<ObjectKey, List<ObjectNode>> found = new LinkedHashMap<>();
    for (ObjectNode slice : all("EndpointSlice")) {
      String service = Json.textOr(slice, "", "metadata", "labels", "kubernetes.io/service-name");
      if (!service.isEmpty()) {
        found
            .computeIfAbsent(
                new ObjectKey(ObjectKey.of(slice).namespace(), service),
                _ -> new java.util.ArrayList<>())
            .add(slice);
      }
    }
    return found;
  }
}
