package io.fairlead.client.testing;

import io.fairlead.api.json.Json;
import io.fairlead.api.patch.StrategicMergePatch;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Cause;
import io.fairlead.api.status.Status.Details;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the writing verbs do to an object (spec/api.md 2.1, 2.2, 2.5). Called with the lock held.
final class FakeVerbs {
  private static final String FOREGROUND = "foregroundDeletion";
  private static final String ORPHAN = "orphan";

  private final FakeStore store;
  private final InstantSource clock;
  private final RandomGenerator random;

  FakeVerbs(FakeStore store, InstantSource clock, RandomGenerator random) {
    this.store = store;
    this.clock = clock;
    this.random = random;
  }

  ObjectNode create(ResourceType type, String namespace, ObjectNode given) {
    ObjectNode object = Json.object().put("kind", type.kind()).put("apiVersion", type.apiVersion());
    object.putObject("metadata");
    object.setAll(given.deepCopy());
    ObjectNode metadata = Json.child(object, "metadata");
    metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
    if (type.namespaced()) {
      checkNamespace(type, namespace, Json.textOr(metadata, "", "name"));
      metadata.put("namespace", namespace);
    }
    if (Json.textOr(metadata, "", "name").isEmpty()) {
      String prefix = Json.textOr(metadata, "", "generateName");
      if (prefix.isEmpty()) {
        throw ApiException.badRequest("name or generateName is required");
      }
      metadata.put("name", prefix + Integer.toString(random.nextInt(10_000, 100_000)));
    }
    ObjectKey key = ObjectKey.of(object);
    if (store.get(type, key).isPresent()) {
      throw ApiException.alreadyExists(type.group(), type.plural(), key.name());
    }
    metadata.put("uid", new UUID(random.nextLong(), random.nextLong()).toString());
    metadata.put("creationTimestamp", now());
    if (countsGenerations(type)) {
      metadata.put("generation", 1);
    }
    if (type.equals(ResourceType.NAMESPACES)) {
      Json.child(metadata, "labels").put("kubernetes.io/metadata.name", key.name());
      Json.child(object, "spec").putArray("finalizers").add("kubernetes");
      Json.child(object, "status").put("phase", "Active");
    }
    return store.put(type, object);
  }

  /// Replaces the object, or through a subresource only its part.
  ObjectNode update(ResourceType type, ObjectKey key, String subresource, ObjectNode given) {
    ObjectNode old = existing(type, key);
    checkVersion(type, key, old, given);
    ObjectNode object;
    if (subresource.isEmpty()) {
      object = given.deepCopy();
      if (old.has("status")) {
        object.set("status", old.get("status"));
      }
      if (type.equals(ResourceType.NAMESPACES)) {
        object.set("spec", old.get("spec"));
      }
    } else {
      object = old.deepCopy();
      String part = subresource.equals("finalize") ? "spec" : "status";
      object.set(part, given.path(part).deepCopy());
      if (part.equals("status")) {
        takeMetadata(object, given);
      }
    }
    keepServerFields(old, object);
    if (countsGenerations(type)) {
      boolean changed = !object.path("spec").equals(old.path("spec"));
      long generation = old.path("metadata").path("generation").asLong(0) + (changed ? 1 : 0);
      Json.child(object, "metadata").put("generation", generation);
    }
    if (object.equals(old)) {
      return old;
    }
    ObjectNode stored = store.put(type, object);
    if (readyToGo(type, stored)) {
      store.remove(type, key);
    }
    return stored;
  }

  ObjectNode merge(ResourceType type, ObjectKey key, String subresource, JsonNode patch) {
    ObjectNode target = existing(type, key).deepCopy();
    String current = Json.textOr(target, "", "metadata", "resourceVersion");
    mergeInto(target, patch);
    if (!patch.path("metadata").has("resourceVersion")) {
      Json.child(target, "metadata").put("resourceVersion", current);
    }
    return update(type, key, subresource, target);
  }

  /// Puts a pod on a node, once.
  ObjectNode bind(ObjectKey key, JsonNode binding) {
    ObjectNode pod = existing(ResourceType.PODS, key).deepCopy();
    if (!Json.textOr(pod, "", "spec", "nodeName").isEmpty()
        || pod.path("metadata").has("deletionTimestamp")) {
      throw ApiException.conflict(
          "", "pods/binding", key.name(), "pod " + key.name() + " is already assigned");
    }
    Json.child(pod, "spec").put("nodeName", Json.textOr(binding, "", "target", "name"));
    return store.put(ResourceType.PODS, pod);
  }

  /// A strategic merge patch; lists merge as the kind's schema says.
  ObjectNode strategic(ResourceType type, ObjectKey key, String subresource, ObjectNode patch) {
    String group = type.group().isEmpty() ? "core" : type.group().split("\\.", 2)[0];
    StructType schema =
        Schemas.kubernetes()
            .struct("io.k8s.api." + group + "." + type.version() + "." + type.kind());
    return update(
        type, key, subresource, StrategicMergePatch.apply(existing(type, key), patch, schema));
  }

  ObjectNode delete(ResourceType type, ObjectKey key, JsonNode options) {
    ObjectNode old = existing(type, key);
    checkPreconditions(type, key, old, options.path("preconditions"));
    if (type.equals(ResourceType.NAMESPACES)
        && List.of("default", "kube-system", "kube-public").contains(key.name())) {
      throw ApiException.forbidden(
          "", "namespaces", key.name(), "this namespace may not be deleted");
    }
    ObjectNode object = old.deepCopy();
    ObjectNode metadata = Json.child(object, "metadata");
    choosePropagation(metadata, Json.textOr(options, "", "propagationPolicy"));
    long grace = grace(type, old, options);
    if (type.equals(ResourceType.NAMESPACES)) {
      Json.child(object, "status").put("phase", "Terminating");
    }
    if (!metadata.has("deletionTimestamp")) {
      metadata.put("deletionTimestamp", now());
      metadata.put("deletionGracePeriodSeconds", grace);
    } else if (grace < metadata.path("deletionGracePeriodSeconds").asLong(0)) {
      metadata.put("deletionGracePeriodSeconds", grace);
    }
    if (readyToGo(type, object)) {
      return store.remove(type, key);
    }
    return object.equals(old) ? old : store.put(type, object);
  }

  private static long grace(ResourceType type, ObjectNode object, JsonNode options) {
    boolean running = !Json.textOr(object, "", "spec", "nodeName").isEmpty();
    if (!type.equals(ResourceType.PODS) || !running) {
      return 0;
    }
    return options
        .path("gracePeriodSeconds")
        .asLong(object.path("spec").path("terminationGracePeriodSeconds").asLong(30));
  }

  private static void choosePropagation(ObjectNode metadata, String policy) {
    if (policy.isEmpty()) {
      return;
    }
    ArrayNode kept = Json.array();
    for (JsonNode finalizer : metadata.path("finalizers")) {
      String name = finalizer.stringValue();
      if (!name.equals(FOREGROUND) && !name.equals(ORPHAN)) {
        kept.add(name);
      }
    }
    switch (policy) {
      case "Foreground" -> kept.add(FOREGROUND);
      case "Orphan" -> kept.add(ORPHAN);
      default -> {}
    }
    if (kept.isEmpty()) {
      metadata.remove("finalizers");
    } else {
      metadata.set("finalizers", kept);
    }
  }

  private static boolean readyToGo(ResourceType type, ObjectNode object) {
    JsonNode metadata = object.path("metadata");
    boolean held =
        type.equals(ResourceType.NAMESPACES) && !object.path("spec").path("finalizers").isEmpty();
    return metadata.has("deletionTimestamp")
        && metadata.path("deletionGracePeriodSeconds").asLong(0) == 0
        && metadata.path("finalizers").isEmpty()
        && !held;
  }

  /// Only where controllers compare it: the workload kinds.
  private static boolean countsGenerations(ResourceType type) {
    return type.group().equals("apps") || type.group().equals("batch");
  }

  /// A status may be written together with these.
  private static void takeMetadata(ObjectNode object, ObjectNode given) {
    for (String field : List.of("labels", "annotations", "finalizers")) {
      JsonNode value = given.path("metadata").path(field);
      if (value.isMissingNode()) {
        Json.child(object, "metadata").remove(field);
      } else {
        Json.child(object, "metadata").set(field, value.deepCopy());
      }
    }
  }

  private void checkNamespace(ResourceType type, String namespace, String name) {
    ObjectNode found =
        store
            .get(ResourceType.NAMESPACES, new ObjectKey("", namespace))
            .orElseThrow(() -> ApiException.notFound("", "namespaces", namespace));
    if (found.path("metadata").has("deletionTimestamp")) {
      String why =
          "unable to create new content in namespace "
              + namespace
              + " because it is being terminated";
      throw new ApiException(
          Status.of(403, "Forbidden", type + " \"" + name + "\" is forbidden: " + why)
              .withDetails(
                  Details.of(name, type.group(), type.plural())
                      .withCauses(
                          List.of(
                              new Cause(
                                  "NamespaceTerminating",
                                  "namespace " + namespace + " is being terminated",
                                  "metadata.namespace")))));
    }
  }

  private ObjectNode existing(ResourceType type, ObjectKey key) {
    return store
        .get(type, key)
        .orElseThrow(() -> ApiException.notFound(type.group(), type.plural(), key.name()));
  }

  private static void checkVersion(
      ResourceType type, ObjectKey key, ObjectNode old, ObjectNode given) {
    String wanted = Json.textOr(given, "", "metadata", "resourceVersion");
    if (!wanted.isEmpty() && !wanted.equals(Json.text(old, "metadata", "resourceVersion"))) {
      throw ApiException.modified(type.group(), type.plural(), key.name());
    }
    String uid = Json.textOr(given, "", "metadata", "uid");
    if (!uid.isEmpty() && !uid.equals(Json.text(old, "metadata", "uid"))) {
      throw ApiException.conflict(
          type.group(), type.plural(), key.name(), "Precondition failed: UID");
    }
  }

  private static void checkPreconditions(
      ResourceType type, ObjectKey key, ObjectNode old, JsonNode conditions) {
    for (String field : List.of("uid", "resourceVersion")) {
      String wanted = Json.textOr(conditions, "", field);
      if (!wanted.isEmpty() && !wanted.equals(Json.text(old, "metadata", field))) {
        throw ApiException.conflict(
            type.group(), type.kind(), key.name(), "the " + field + " in the precondition differs");
      }
    }
  }

  private static void keepServerFields(ObjectNode old, ObjectNode object) {
    ObjectNode from = Json.child(old, "metadata");
    ObjectNode to = Json.child(object, "metadata");
    for (String field :
        List.of(
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds")) {
      if (from.has(field)) {
        to.set(field, from.get(field));
      } else {
        to.remove(field);
      }
    }
    object.put("kind", old.path("kind").stringValue());
    object.put("apiVersion", old.path("apiVersion").stringValue());
  }

  /// RFC 7386.
  private static void mergeInto(ObjectNode target, JsonNode patch) {
    patch
        .properties()
        .forEach(
            member -> {
              JsonNode value = member.getValue();
              if (value.isNull()) {
                target.remove(member.getKey());
              } else if (value.isObject()) {
                mergeInto(Json.child(target, member.getKey()), value);
              } else {
                target.set(member.getKey(), value.deepCopy());
              }
            });
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
