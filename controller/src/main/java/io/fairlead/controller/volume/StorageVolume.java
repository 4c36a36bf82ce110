package io.fairlead.controller.volume;

import io.fairlead.api.json.Json;
import io.fairlead.api.quota.ResourceAmounts;
import io.fairlead.api.schema.Quantity;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A PersistentVolume. Immutable; the tree inside is shared.
record StorageVolume(ApiObject object, Quantity capacity) implements HasMetadata {
  static final ResourceType TYPE = ResourceType.PERSISTENT_VOLUMES;
  static final InformerKind<StorageVolume> KIND = InformerKind.of(TYPE, StorageVolume::of);

  static StorageVolume of(ObjectNode body) {
    return new StorageVolume(ApiObject.of(body), storage(body.at("/spec/capacity")));
  }

  private static Quantity storage(JsonNode amounts) {
    return ResourceAmounts.of(amounts).getOrDefault("storage", Quantity.ZERO);
  }

  @Override
  public ObjectMeta metadata() {
    return object.metadata();
  }

  JsonNode spec() {
    return object.body().path("spec");
  }

  /// The claim it is bound to or kept for.
  Optional<ObjectKey> claim() {
    JsonNode reference = spec().path("claimRef");
    return reference.isObject()
        ? Optional.of(
            new ObjectKey(
                Json.textOr(reference, "", "namespace"), Json.textOr(reference, "", "name")))
        : Optional.empty();
  }

  String claimUid() {
    return Json.textOr(spec(), "", "claimRef", "uid");
  }

  /// Whether it is bound to that claim, or kept for it by name.
  boolean isFor(StorageClaim claim) {
    return claim().filter(claim.metadata().key()::equals).isPresent()
        && (claimUid().isEmpty() || claimUid().equals(claim.metadata().uid()));
  }

  /// Whether it has what a claim asks for.
  boolean satisfies(StorageClaim claim) {
    JsonNode asked = claim.spec();
    LabelSelector selector =
        asked.get("selector") instanceof ObjectNode given ? LabelSelector.of(given) : null;
    return Json.textOr(asked, "", "storageClassName")
            .equals(Json.textOr(spec(), "", "storageClassName"))
        && Json.textOr(asked, "Filesystem", "volumeMode")
            .equals(Json.textOr(spec(), "Filesystem", "volumeMode"))
        && texts(spec().path("accessModes")).containsAll(texts(asked.path("accessModes")))
        && capacity.compareTo(storage(asked.at("/resources/requests"))) >= 0
        && (selector == null || selector.matches(metadata().labels()))
        && !metadata().beingDeleted();
  }

  /// The volume for a claim: the one it names, one that is kept for it, or the smallest free one
  /// that has what it asks for.
  static Optional<StorageVolume> choose(StorageClaim claim, Collection<StorageVolume> all) {
    if (!claim.volumeName().isEmpty()) {
      return all.stream()
          .filter(one -> one.metadata().name().equals(claim.volumeName()))
          .filter(one -> one.claim().isEmpty() || one.isFor(claim))
          .findFirst();
    }
    Optional<StorageVolume> kept = all.stream().filter(one -> one.isFor(claim)).findFirst();
    return kept.or(
        () ->
            all.stream()
                .filter(one -> one.claim().isEmpty() && one.satisfies(claim))
                .min(
                    Comparator.comparing(StorageVolume::capacity)
                        .thenComparing(one -> one.metadata().name())));
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new HashSet<>();
    list.forEach(one -> texts.add(one.asString("")));
    return texts;
  }
}
