package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Who controls what: an owner keeps what is its own and matches its selector, lets go what matches
/// no longer, and takes in what matches and has no owner (spec/controllers.md 1.6).
public final class ControllerRefManager {
  /// @param kept owned and matching
  /// @param adopted matching and without an owner: to be adopted
  /// @param released owned and no longer matching: to be let go
  public record Claim<T>(List<T> kept, List<T> adopted, List<T> released) {}

  private final Client client;
  private final ResourceType ownerType;

  public ControllerRefManager(Client client, ResourceType ownerType) {
    this.client = client;
    this.ownerType = ownerType;
  }

  /// The owner that controls an object, if one does.
  public static Optional<OwnerReference> controller(ObjectMeta metadata) {
    for (OwnerReference owner : metadata.ownerReferences()) {
      if (owner.controller()) {
        return Optional.of(owner);
      }
    }
    return Optional.empty();
  }

  /// Sorts the candidates. An owner that is being deleted takes in and lets go nothing.
  public static <T extends HasMetadata> Claim<T> claim(
      ObjectMeta owner, LabelSelector selector, Collection<T> candidates) {
    List<T> kept = new ArrayList<>();
    List<T> adopted = new ArrayList<>();
    List<T> released = new ArrayList<>();
    for (T candidate : candidates) {
      ObjectMeta meta = candidate.metadata();
      Optional<OwnerReference> controller = controller(meta);
      boolean matches = selector.matches(meta.labels());
      if (controller.isPresent()) {
        if (!controller.get().uid().equals(owner.uid())) {
          continue;
        }
        if (matches) {
          kept.add(candidate);
        } else if (!owner.beingDeleted()) {
          released.add(candidate);
        }
      } else if (matches && !owner.beingDeleted() && !meta.beingDeleted()) {
        adopted.add(candidate);
      }
    }
    return new Claim<>(kept, adopted, released);
  }

  /// Sorts the candidates, writes what follows from it, and returns those that are the owner's now.
  /// Before the first is taken in the server is asked whether the owner still lives.
  public <T extends HasMetadata> List<T> take(
      ObjectMeta owner, LabelSelector selector, Collection<T> candidates, ResourceType type) {
    Claim<T> claim = claim(owner, selector, candidates);
    for (T lost : claim.released()) {
      edit(type, lost.metadata(), list -> without(list, owner.uid()));
    }
    List<T> mine = new ArrayList<>(claim.kept());
    if (claim.adopted().isEmpty() || !lives(owner)) {
      return mine;
    }
    ObjectNode reference = reference(ownerType, owner);
    for (T found : claim.adopted()) {
      if (edit(type, found.metadata(), list -> with(list, reference))) {
        mine.add(found);
      }
    }
    return mine;
  }

  /// The entry an owner has in what it makes.
  public static ObjectNode reference(ResourceType type, ObjectMeta owner) {
    return Json.object()
        .put("apiVersion", type.apiVersion())
        .put("kind", type.kind())
        .put("name", owner.name())
        .put("uid", owner.uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
  }

  public ObjectRef about(ObjectMeta owner) {
    return new ObjectRef(ownerType, owner.key(), owner.uid());
  }

  private boolean lives(ObjectMeta owner) {
    return client
        .findMetadata(ownerType, owner.key())
        .map(ObjectMeta::of)
        .filter(live -> live.uid().equals(owner.uid()) && !live.beingDeleted())
        .isPresent();
  }

  private interface Edit {
    /// The list as it shall be, or empty when it shall stay.
    Optional<ArrayNode> apply(JsonNode list);
  }

  private static Optional<ArrayNode> without(JsonNode list, String uid) {
    return filtered(list, owner -> !Json.textOr(owner, "", "uid").equals(uid));
  }

  private static Optional<ArrayNode> filtered(JsonNode list, Predicate<JsonNode> keep) {
    ArrayNode kept = Json.array();
    for (JsonNode entry : list) {
      if (keep.test(entry)) {
        kept.add(entry);
      }
    }
    return kept.size() == list.size() ? Optional.empty() : Optional.of(kept);
  }

  private static Optional<ArrayNode> with(JsonNode list, ObjectNode reference) {
    for (JsonNode owner : list) {
      if (owner.path("controller").asBoolean(false)) {
        return Optional.empty(); // another owner was quicker
      }
    }
    ArrayNode more = Json.array();
    list.forEach(more::add);
    more.add(reference);
    return Optional.of(more);
  }

  /// Edits the newest list of an object's owners. Says whether it was written; an object that is
  /// gone, or another one by now, is left alone.
  private boolean edit(ResourceType type, ObjectMeta meta, Edit edit) {
    Optional<ObjectNode> live = client.findMetadata(type, meta.key());
    if (live.isEmpty() || !meta.uid().equals(Json.text(live.get(), "metadata", "uid"))) {
      return false;
    }
    Optional<ArrayNode> list = edit.apply(Json.at(live.get(), "metadata", "ownerReferences"));
    if (list.isEmpty()) {
      return false;
    }
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .put("uid", meta.uid())
        .put("resourceVersion", Json.textOr(live.get(), "", "metadata", "resourceVersion"))
        .set("ownerReferences", list.get());
    try {
      client.patch(type, meta.key(), PatchType.MERGE, patch);
      return true;
    } catch (ApiException e) {
      if (ApiErrors.isNotFound(e)) {
        return false;
      }
      throw e;
    }
  }
}
