package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.Informer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// What an owner has asked for and not yet seen, so that nothing is made or deleted twice on a copy
/// that lags behind.
///
/// How it works: of a create or an update the version is noted, and the owner is parked until the
/// informer has reached it. Of a deletion the uid is noted, since the answer need not tell its
/// version; it is seen when the object is gone or marked, and that change wakes the owner anyway. A
/// call that failed notes nothing. Safe for any threads.
public final class Expectations {
  private static final class Open {
    private final List<String> versions = new ArrayList<>();
    private final Set<String> deleted = new HashSet<>();
  }

  private final Informer<?> informer;
  private final Consumer<ObjectKey> release;
  private final Map<ObjectKey, Open> open = new ConcurrentHashMap<>();

  /// @param informer of what is made and deleted
  /// @param release takes an owner that was parked
  public Expectations(Informer<?> informer, Consumer<ObjectKey> release) {
    this.informer = informer;
    this.release = release;
  }

  /// A write for that owner was answered with this object.
  public void wrote(ObjectKey owner, JsonNode answer) {
    String version = Json.textOr(answer, "", "metadata", "resourceVersion");
    if (!version.isEmpty()) {
      Open mine = of(owner);
      synchronized (mine) {
        mine.versions.add(version);
      }
    }
  }

  /// The deletion of that object was accepted.
  public void deleted(ObjectKey owner, String uid) {
    Open mine = of(owner);
    synchronized (mine) {
      mine.deleted.add(uid);
    }
  }

  /// Whether everything asked for is to be seen. If not, the owner comes back when it is.
  ///
  /// @param present what the informer shows of the owner's objects
  public boolean met(ObjectKey owner, List<? extends HasMetadata> present) {
    Open mine = open.get(owner);
    if (mine == null) {
      return true;
    }
    synchronized (mine) {
      Set<String> unmarked = new HashSet<>();
      for (HasMetadata object : present) {
        if (!object.metadata().beingDeleted()) {
          unmarked.add(object.metadata().uid());
        }
      }
      mine.deleted.retainAll(unmarked);
      for (String version : List.copyOf(mine.versions)) {
        var reached = informer.reached(version);
        if (!reached.isDone()) {
          var _ = reached.thenRun(() -> release.accept(owner));
          return false;
        }
        mine.versions.remove(version);
      }
      return mine.deleted.isEmpty();
    }
  }

  /// The owner is gone.
  public void forget(ObjectKey owner) {
    open.remove(owner);
  }

  private Open of(ObjectKey owner) {
    return open.computeIfAbsent(owner, _ -> new Open());
  }
}
