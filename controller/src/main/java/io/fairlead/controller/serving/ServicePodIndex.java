package io.fairlead.controller.serving;

import io.fairlead.client.ObjectKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Who serves whom: Services, pods and nodes, joined while they change.
///
/// Every Service's pods are kept with it, so reading one Service costs as much as it has pods, and
/// a change of one pod as much as Services select it, however large the cluster is. The methods
/// that change something answer which Services are concerned. Safe for any threads; guarded by one
/// lock that is held for memory work only.
public final class ServicePodIndex {
  /// One namespace.
  private static final class Space {
    final SelectorIndex services = new SelectorIndex();
    final PodIndex pods = new PodIndex();
    // Of each Service that selects, its pods in the order of their names.
    final Map<String, TreeMap<String, EndpointPod>> members = new HashMap<>();

    boolean isEmpty() {
      return services.isEmpty() && pods.isEmpty();
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private final Map<String, Space> spaces = new HashMap<>();
  private final Map<String, EndpointNode> nodes = new HashMap<>();
  private final Map<String, Set<ObjectKey>> podsOnNode = new HashMap<>();

  public Optional<Service> service(ObjectKey key) {
    return locked(() -> space(key).flatMap(space -> space.services.get(key.name())));
  }

  /// The pods a Service selects, in the order of their names; none when there is no such Service.
  public List<EndpointPod> members(ObjectKey service) {
    return locked(
        () ->
            space(service)
                .map(space -> space.members.get(service.name()))
                .map(pods -> List.copyOf(pods.values()))
                .orElse(List.of()));
  }

  public Optional<EndpointNode> node(String name) {
    return locked(() -> Optional.ofNullable(nodes.get(name)));
  }

  /// All nodes now.
  public List<EndpointNode> nodes() {
    return locked(() -> List.copyOf(nodes.values()));
  }

  /// Why pods that a Service selects, or nearly selects, are no ready endpoints of it. Looks at all
  /// pods of the namespace: for people's questions, not for a control loop.
  public List<ExcludedPod> leftOut(ObjectKey service) {
    return locked(
        () -> {
          Space space = spaces.get(service.namespace());
          if (space == null) {
            return List.of();
          }
          return space
              .services
              .get(service.name())
              .map(found -> EndpointReasonFinder.of(found, space.pods.all(), nodes))
              .orElse(List.of());
        });
  }

  void put(Service service) {
    locked(
        () -> {
          Space space = spaceFor(service.key());
          Optional<Service> old = space.services.put(service);
          boolean same =
              old.isPresent()
                  && old.get().selector().equals(service.selector())
                  && old.get().externalName() == service.externalName();
          if (!same) {
            join(space, service);
          }
          return true;
        });
  }

  void removeService(ObjectKey key) {
    locked(
        () -> {
          Space space = spaceFor(key);
          space.services.remove(key.name());
          space.members.remove(key.name());
          dropIfEmpty(key.namespace());
          return true;
        });
  }

  /// Puts a pod, new or changed, and answers whose endpoints change.
  Set<ObjectKey> put(EndpointPod pod) {
    return locked(
        () -> {
          Space space = spaceFor(pod.key());
          Optional<EndpointPod> old = space.pods.put(pod);
          List<Service> after = space.services.selecting(pod.labels());
          if (old.isEmpty()) {
            enter(pod, space, after);
            return keys(pod.addressable() ? after : List.of());
          }
          List<Service> before =
              old.get().labels().equals(pod.labels())
                  ? after
                  : space.services.selecting(old.get().labels());
          leave(old.get(), space, before);
          enter(pod, space, after);
          return keys(PodChange.concerns(old.get(), pod, before, after));
        });
  }

  /// Takes a pod out and answers whose endpoints change.
  Set<ObjectKey> removePod(ObjectKey key) {
    return locked(
        () -> {
          Space space = spaceFor(key);
          Optional<EndpointPod> old = space.pods.remove(key.name());
          List<Service> before =
              old.map(pod -> space.services.selecting(pod.labels())).orElse(List.of());
          old.ifPresent(pod -> leave(pod, space, before));
          dropIfEmpty(key.namespace());
          return keys(old.filter(EndpointPod::addressable).isPresent() ? before : List.of());
        });
  }

  /// Puts a node and answers whose endpoints change: those of pods on a node that is new or moved
  /// to another zone.
  Set<ObjectKey> put(EndpointNode node) {
    return locked(
        () -> {
          EndpointNode old = nodes.put(node.name(), node);
          boolean same = old != null && old.zone().equals(node.zone());
          return same ? Set.of() : servedFrom(node.name());
        });
  }

  Set<ObjectKey> removeNode(String name) {
    return locked(
        () -> {
          nodes.remove(name);
          return servedFrom(name);
        });
  }

  private Set<ObjectKey> servedFrom(String node) {
    Set<ObjectKey> concerned = new LinkedHashSet<>();
    for (ObjectKey key : podsOnNode.getOrDefault(node, Set.of())) {
      Space space = spaces.get(key.namespace());
      if (space != null) {
        space
            .pods
            .get(key.name())
            .ifPresent(pod -> concerned.addAll(keys(space.services.selecting(pod.labels()))));
      }
    }
    return concerned;
  }

  private void join(Space space, Service service) {
    if (!service.selectsPods()) {
      space.members.remove(service.key().name());
      return;
    }
    TreeMap<String, EndpointPod> members = new TreeMap<>();
    space.pods.selectedBy(service).forEach(pod -> members.put(pod.key().name(), pod));
    space.members.put(service.key().name(), members);
  }

  private void enter(EndpointPod pod, Space space, List<Service> selecting) {
    for (Service service : selecting) {
      space
          .members
          .computeIfAbsent(service.key().name(), _ -> new TreeMap<>())
          .put(pod.key().name(), pod);
    }
    if (!pod.nodeName().isEmpty()) {
      podsOnNode.computeIfAbsent(pod.nodeName(), _ -> new LinkedHashSet<>()).add(pod.key());
    }
  }

  private void leave(EndpointPod pod, Space space, List<Service> selecting) {
    for (Service service : selecting) {
      TreeMap<String, EndpointPod> members = space.members.get(service.key().name());
      if (members != null) {
        members.remove(pod.key().name());
      }
    }
    podsOnNode.computeIfPresent(
        pod.nodeName(),
        (_, keys) -> {
          keys.remove(pod.key());
          return keys.isEmpty() ? null : keys;
        });
  }

  private static Set<ObjectKey> keys(Iterable<Service> services) {
    Set<ObjectKey> keys = new LinkedHashSet<>();
    services.forEach(service -> keys.add(service.key()));
    return keys;
  }

  private Optional<Space> space(ObjectKey key) {
    return Optional.ofNullable(spaces.get(key.namespace()));
  }

  private Space spaceFor(ObjectKey key) {
    return spaces.computeIfAbsent(key.namespace(), _ -> new Space());
  }

  private void dropIfEmpty(String namespace) {
    spaces.computeIfPresent(namespace, (_, space) -> space.isEmpty() ? null : space);
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
