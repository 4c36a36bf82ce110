package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The members of `metadata` that belong to the server.
final class ObjectMetadata {
  /// What a client can neither set nor change.
  private static final List<String> KEPT =
      List.of(
          "uid",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "generation");

  private ObjectMetadata() {}

  static ObjectNode of(ObjectNode object) {
    return Json.child(object, "metadata");
  }

  static String name(ObjectNode object) {
    return Json.textOr(object, "", "metadata", "name");
  }

  static String uid(ObjectNode object) {
    return Json.textOr(object, "", "metadata", "uid");
  }

  static String resourceVersion(ObjectNode object) {
    return Json.textOr(object, "", "metadata", "resourceVersion");
  }

  static boolean isBeingDeleted(ObjectNode object) {
    return object.path("metadata").has("deletionTimestamp");
  }

  /// Whole seconds, as the API writes times.
  static String time(InstantSource clock) {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// Throws away what the client may not say about a new object.
  static void clean(ObjectNode object) {
    ObjectNode metadata = of(object);
    String version = Json.textOr(metadata, "", "resourceVersion");
    if (isRevision(version)) {
      throw new ApiException(
          Status.of(500, "", "resourceVersion should not be set on objects to be created"));
    }
    JsonNode generation = metadata.get("generation");
    metadata.remove("selfLink");
    metadata.remove(KEPT);
    if (version.isEmpty()) {
      metadata.remove("resourceVersion");
    }
    // Of a kind that does not count its changes it is the client's.
    if (generation != null && generation.asLong(0) != 0) {
      metadata.set("generation", generation);
    }
  }

  /// Whether a text names a revision; what is no number at all does not count.
  private static boolean isRevision(String text) {
    try {
      return !text.isEmpty() && Long.parseUnsignedLong(text) != 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /// An owner that is named twice is kept once, with a warning.
  static void dropRepeatedOwners(ObjectNode object, ResourceRequest call) {
    if (!(object.path("metadata").path("ownerReferences") instanceof ArrayNode owners)) {
      return;
    }
    Set<JsonNode> kept = new LinkedHashSet<>();
    List<String> repeated = new ArrayList<>();
    for (JsonNode owner : owners) {
      if (!kept.add(owner)) {
        repeated.add(owner.path("uid").asString(""));
      }
    }
    if (!repeated.isEmpty()) {
      owners.removeAll().addAll(kept);
      call.warn(
          ".metadata.ownerReferences contains duplicate entries; API server dedups owner references"
              + " in 1.20+, and may reject such requests as early as 1.24; please fix your"
              + " requests; duplicate UID(s) observed: "
              + String.join(", ", repeated));
    }
  }

  /// Gives a new object its identity.
  static void identify(ObjectNode object, InstantSource clock, RandomGenerator random) {
    ObjectNode metadata = of(object);
    metadata.put("uid", uuid(random));
    metadata.put("creationTimestamp", time(clock));
  }

  /// Puts name and namespace of the path into an object that lacks them.
  ///
  /// @throws ApiException 400 when it names others
  static void matchPath(ObjectNode object, String namespace, boolean namespaced, String name) {
    ObjectNode metadata = of(object);
    String given = Json.textOr(metadata, "", "namespace");
    if (!namespaced) {
      metadata.remove("namespace");
    } else if (given.isEmpty()) {
      metadata.put("namespace", namespace);
    } else if (!given.equals(namespace)) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    if (name.isEmpty()) {
      return;
    }
    String own = Json.textOr(metadata, "", "name");
    if (own.isEmpty()) {
      metadata.put("name", name);
    } else if (!own.equals(name)) {
      throw ApiException.badRequest(
          "the name of the object (" + own + ") does not match the name on the URL (" + name + ")");
    }
  }

  /// Gives a changed object back what the client could not change.
  static void restore(ObjectNode object, ObjectNode old) {
    ObjectNode metadata = of(object);
    JsonNode before = old.path("metadata");
    for (String kept : KEPT) {
      JsonNode value = before.get(kept);
      if (value == null) {
        metadata.remove(kept);
      } else {
        metadata.set(kept, value);
      }
    }
    metadata.remove("selfLink");
  }

  /// A random UUID of version 4.
  static String uuid(RandomGenerator random) {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & ~(3L << 62)) | (1L << 63);
    return new UUID(high, low).toString();
  }
}
