package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.patch.JsonEquality;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Writes statuses, and only those that say something new.
public final class StatusWriter {
  private final Client client;
  private final ResourceType type;

  public StatusWriter(Client client, ResourceType type) {
    this.client = client;
    this.type = type;
  }

  /// Puts a status in the place of the one the object has. Nothing when they are equal or the
  /// object is gone; when another client wrote the object meanwhile, its newest state is taken
  /// once.
  ///
  /// @return what is stored now; empty when nothing was written
  public Optional<ObjectNode> write(ApiObject object, ObjectNode status) {
    try {
      return writeUnlessStale(object, status);
    } catch (ApiException e) {
      if (!ApiErrors.isConflict(e)) {
        throw e;
      }
    }
    Optional<ObjectNode> live = client.find(type, object.metadata().key());
    if (live.isEmpty() || !ObjectMeta.of(live.get()).uid().equals(object.metadata().uid())) {
      return Optional.empty();
    }
    live.get().set("status", status);
    return Optional.of(client.update(type, "status", live.get()));
  }

  /// The same, but a conflict is the caller's: for a status that is made from the one before it,
  /// which an older copy must not overwrite.
  ///
  /// @return what is stored now; empty when nothing was written
  public Optional<ObjectNode> writeUnlessStale(ApiObject object, ObjectNode status) {
    if (JsonEquality.value(object.body().path("status"), status)
        || (status.isEmpty() && object.body().path("status").isMissingNode())) {
      return Optional.empty();
    }
    ObjectNode changed = object.body().deepCopy();
    changed.set("status", status);
    try {
      return Optional.of(client.update(type, "status", changed));
    } catch (ApiException e) {
      if (ApiErrors.isNotFound(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// Writes status and annotations as the given object has them; a conflict is the caller's.
  ///
  /// @return what is stored now; empty when the object is gone
  public Optional<ObjectNode> force(ApiObject object) {
    try {
      return Optional.of(client.update(type, "status", object.body()));
    } catch (ApiException e) {
      if (ApiErrors.isNotFound(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// Sets a number, or leaves it out when it is zero, as the original's answers do.
  public static void count(ObjectNode status, String key, long value) {
    if (value == 0) {
      status.remove(key);
    } else {
      status.put(key, value);
    }
  }

  /// The status to begin with: a copy of the present one.
  public static ObjectNode copy(ApiObject object) {
    return Json.child(object.body().deepCopy(), "status");
  }
}
