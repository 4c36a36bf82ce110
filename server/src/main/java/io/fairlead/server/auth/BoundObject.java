package io.fairlead.server.auth;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.ClusterReader;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// An object whose existence a token depends on.
///
/// @param plural the resource, `serviceaccounts`, `pods`, `nodes` or `secrets`
/// @param namespace empty for nodes
record BoundObject(String plural, String namespace, String name, String uid) {
  /// A token still works this long after its object should have been gone, so that a pod can finish
  /// its last calls.
  private static final Duration GRACE = Duration.ofSeconds(60);

  /// Why the token ended with this object, or null while it is there.
  @Nullable String problem(ClusterReader reader, Instant now) {
    ObjectNode found = reader.get("", plural, namespace, name);
    String what = plural + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
    if (found == null) {
      return what + " does not exist";
    }
    if (!Json.textOr(found, "", "metadata", "uid").equals(uid)) {
      return what + " is not the one the token was made for";
    }
    String deleted = Json.text(found, "metadata", "deletionTimestamp");
    if (deleted != null && isOver(deleted, now)) {
      return what + " was deleted";
    }
    return null;
  }

  private static boolean isOver(String deletionTimestamp, Instant now) {
    try {
      return Instant.parse(deletionTimestamp).plus(GRACE).isBefore(now);
    } catch (DateTimeException e) {
      return true;
    }
  }
}
