package io.fairlead.client;

import io.fairlead.api.json.Json;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// How to delete, and on which condition.
///
/// @param uid only the object with this uid
/// @param resourceVersion only in this version
public record DeleteOptions(
    Optional<Propagation> propagation,
    Optional<String> uid,
    Optional<String> resourceVersion,
    Optional<Long> gracePeriodSeconds) {
  /// What becomes of the objects that name the deleted one as their owner.
  public enum Propagation {
    /// They go later.
    BACKGROUND("Background"),
    /// They go first.
    FOREGROUND("Foreground"),
    /// They stay.
    ORPHAN("Orphan");

    private final String word;

    Propagation(String word) {
      this.word = word;
    }

    /// As the API spells it.
    public String word() {
      return word;
    }
  }

  public static final DeleteOptions DEFAULT =
      new DeleteOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  public static DeleteOptions of(Propagation propagation) {
    return new DeleteOptions(
        Optional.of(propagation), Optional.empty(), Optional.empty(), Optional.empty());
  }

  public DeleteOptions onlyUid(String wanted) {
    return new DeleteOptions(propagation, Optional.of(wanted), resourceVersion, gracePeriodSeconds);
  }

  public DeleteOptions onlyVersion(String wanted) {
    return new DeleteOptions(propagation, uid, Optional.of(wanted), gracePeriodSeconds);
  }

  public DeleteOptions within(long graceSeconds) {
    return new DeleteOptions(propagation, uid, resourceVersion, Optional.of(graceSeconds));
  }

  ObjectNode toJson() {
    ObjectNode out = Json.object().put("kind", "DeleteOptions").put("apiVersion", "v1");
    propagation.ifPresent(p -> out.put("propagationPolicy", p.word()));
    gracePeriodSeconds.ifPresent(seconds -> out.put("gracePeriodSeconds", seconds));
    uid.ifPresent(wanted -> Json.child(out, "preconditions").put("uid", wanted));
    resourceVersion.ifPresent(
        wanted -> Json.child(out, "preconditions").put("resourceVersion", wanted));
    return out;
  }
}
