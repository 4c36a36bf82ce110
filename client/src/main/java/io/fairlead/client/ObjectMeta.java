package io.fairlead.client;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What every object says about itself, as far as controllers act on it. Immutable.
///
/// @param deletionTimestamp set when the object is being deleted
public record ObjectMeta(
    ObjectKey key,
    String uid,
    String resourceVersion,
    long generation,
    Map<String, String> labels,
    List<OwnerReference> ownerReferences,
    List<String> finalizers,
    Optional<String> deletionTimestamp)
    implements HasMetadata {

  public ObjectMeta {
    labels = Map.copyOf(labels);
    ownerReferences = List.copyOf(ownerReferences);
    finalizers = List.copyOf(finalizers);
  }

  /// Only the name and the version of an object.
  public static ObjectMeta of(ObjectKey key, String resourceVersion) {
    return new ObjectMeta(
        key, "", resourceVersion, 0, Map.of(), List.of(), List.of(), Optional.empty());
  }

  public static ObjectMeta of(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    Map<String, String> labels = new LinkedHashMap<>();
    metadata
        .path("labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
    List<OwnerReference> owners = new ArrayList<>();
    metadata.path("ownerReferences").forEach(owner -> owners.add(OwnerReference.of(owner)));
    List<String> finalizers = new ArrayList<>();
    metadata.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asString("")));
    return new ObjectMeta(
        ObjectKey.of(object),
        Json.textOr(metadata, "", "uid"),
        Json.textOr(metadata, "", "resourceVersion"),
        metadata.path("generation").asLong(0),
        labels,
        owners,
        finalizers,
        Optional.ofNullable(Json.text(metadata, "deletionTimestamp")));
  }

  @Override
  public ObjectMeta metadata() {
    return this;
  }

  public String namespace() {
    return key.namespace();
  }

  public String name() {
    return key.name();
  }

  public boolean beingDeleted() {
    return deletionTimestamp.isPresent();
  }
}
