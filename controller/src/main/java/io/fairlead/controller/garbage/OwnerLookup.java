package io.fairlead.controller.garbage;

import io.fairlead.client.Client;
import io.fairlead.client.Discovery;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.controller.garbage.GarbageAction.Owner;
import io.fairlead.controller.garbage.OwnerGraph.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Finds out what an owner reference stands for. What the graph does not know is asked of the
/// server: only a clear "not found", or another uid under the name, makes an owner absent.
final class OwnerLookup {
  private static final int ABSENT_REMEMBERED = 500;

  /// Where an owner was looked for in vain, and for which dependent.
  private record Absent(ObjectKey key, Node dependent, OwnerReference reference) {}

  private final Client client;
  private volatile Discovery discovery;
  private final OwnerGraph graph;
  private final EventRecorder events;
  // Guarded by itself, by uid. A uid never comes back, so remembering that it is absent is safe.
  private final Map<String, Absent> absent =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Absent> eldest) {
          return size() > ABSENT_REMEMBERED;
        }
      };

  OwnerLookup(Client client, Discovery discovery, OwnerGraph graph, EventRecorder events) {
    this.client = client;
    this.discovery = discovery;
    this.graph = graph;
    this.events = events;
  }

  /// From now on these kinds are served.
  void served(Discovery present) {
    discovery = present;
  }

  Owner judge(Node dependent, OwnerReference reference) {
    Optional<Node> known = graph.get(reference.uid());
    if (known.isPresent()) {
      return judge(dependent, reference, known.get());
    }
    Optional<ResourceType> type = discovery.find(reference.group(), reference.kind());
    if (type.isEmpty()) {
      // A kind this server does not serve: the owner may well exist.
      return Owner.SOLID;
    }
    if (type.get().namespaced() && !dependent.type().namespaced()) {
      tellInvalidNamespace(dependent, reference);
      return Owner.SOLID;
    }
    return ask(dependent, reference, type.get());
  }

  /// Reports the reference that looked for this owner in another namespace before the owner's own
  /// watch had delivered it.
  void ownerSeen(Node owner) {
    Absent looked;
    synchronized (absent) {
      looked = absent.remove(owner.uid());
    }
    if (looked != null && elsewhere(owner, looked.dependent())) {
      tellInvalidNamespace(looked.dependent(), looked.reference());
    }
  }

  private Owner judge(Node dependent, OwnerReference reference, Node owner) {
    if (!elsewhere(owner, dependent)) {
      return owner.waitsForDependents() ? Owner.WAITING : Owner.SOLID;
    }
    tellInvalidNamespace(dependent, reference);
    // An object outside of all namespaces cannot be judged by one inside: leave it alone.
    return dependent.type().namespaced() ? Owner.DANGLING : Owner.SOLID;
  }

  private static boolean elsewhere(Node owner, Node dependent) {
    return owner.type().namespaced()
        && !owner.meta().namespace().equals(dependent.meta().namespace());
  }

  private Owner ask(Node dependent, OwnerReference reference, ResourceType type) {
    ObjectKey key =
        new ObjectKey(type.namespaced() ? dependent.meta().namespace() : "", reference.name());
    synchronized (absent) {
      Absent remembered = absent.get(reference.uid());
      if (remembered != null && remembered.key().equals(key)) {
        return Owner.DANGLING;
      }
    }
    Optional<ObjectMeta> live = client.findMetadata(type, key).map(ObjectMeta::of);
    if (live.isPresent() && live.get().uid().equals(reference.uid())) {
      return new Node(type, live.get()).waitsForDependents() ? Owner.WAITING : Owner.SOLID;
    }
    synchronized (absent) {
      absent.put(reference.uid(), new Absent(key, dependent, reference));
    }
    // The owner's watch may have delivered it while the server was asked.
    graph.get(reference.uid()).ifPresent(this::ownerSeen);
    return Owner.DANGLING;
  }

  private void tellInvalidNamespace(Node dependent, OwnerReference reference) {
    String message =
        "ownerRef ["
            + reference.apiVersion()
            + "/"
            + reference.kind()
            + ", name: "
            + reference.name()
            + ", uid: "
            + reference.uid()
            + "] does not exist in namespace \""
            + dependent.meta().namespace()
            + "\"";
    events.record(
        ObjectEvent.warning(
            new ObjectRef(dependent.type(), dependent.meta().key(), dependent.uid()),
            "OwnerRefInvalidNamespace",
            message));
  }
}
