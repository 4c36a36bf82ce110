package io.fairlead.proxy.tracking;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Keeps the plan of one family up to date. Changes come from the informers' threads; the
/// reconciler asks for the plan. A change of one Service recomputes that Service and nothing else.
///
/// All state is guarded by one lock, held for memory work only.
public final class Planner {
  /// What is kept of a slice.
  private record Slice(String name, ObjectKey service, SliceObject.Content content) {}

  private final IpAddress.Family family;
  private final Instant started;
  private final ReentrantLock lock = new ReentrantLock();
  private final PendingChanges<ObjectKey, List<ServicePort>> services = new PendingChanges<>();
  private final PendingChanges<ObjectKey, Slice> slices = new PendingChanges<>();
  // By name: of an address in two of them the last one counts.
  private final Map<ObjectKey, List<Slice>> byService = new HashMap<>();
  private final Set<ObjectKey> dirty = new HashSet<>();
  private final Map<ObjectKey, List<Instant>> triggers = new HashMap<>();
  private NodeFacts node;
  private boolean nodeChanged;
  private String newestSlice = "";
  private String heardSlice = "";
  private String newestService = "";
  private Plan plan;

  /// @param started changes from before that moment are not measured
  public Planner(NodeFacts node, Instant started) {
    this.family = node.family();
    this.node = node;
    this.started = started;
    this.plan = Plan.empty(node);
  }

  /// A Service is new or changed. True when the plan may have to change.
  public boolean put(ServiceObject service) {
    List<ServicePort> ports = service.ports(family);
    lock.lock();
    try {
      newestService = newer(newestService, service.metadata().resourceVersion());
    } finally {
      lock.unlock();
    }
    return setService(service.metadata().key(), ports);
  }

  /// A Service is gone. True when the plan may have to change.
  public boolean removeService(ObjectKey key) {
    return setService(key, List.of());
  }

  private static String newer(String known, String version) {
    return known.isEmpty() || ResourceVersions.compare(version, known) > 0 ? version : known;
  }

  private boolean setService(ObjectKey key, List<ServicePort> ports) {
    lock.lock();
    try {
      services.set(key, ports.isEmpty() ? null : ports);
      return services.size() > 0;
    } finally {
      lock.unlock();
    }
  }

  /// A slice is new or changed. True when this changed something.
  public boolean put(SliceObject slice) {
    heard(slice);
    if (slice.family() != family || slice.service().name().isEmpty()) {
      return removeSlice(slice.metadata().key());
    }
    lock.lock();
    try {
      ObjectKey key = slice.metadata().key();
      newestSlice = newer(newestSlice, slice.metadata().resourceVersion());
      boolean changed = setSlice(key, new Slice(key.name(), slice.service(), slice.content()));
      Instant trigger = slice.triggerTime();
      if (changed && trigger != null && trigger.isAfter(started)) {
        triggers.computeIfAbsent(slice.service(), _ -> new ArrayList<>()).add(trigger);
      }
      return changed;
    } finally {
      lock.unlock();
    }
  }

  /// Slices of the other family come in the same order: what came before one of them is known too.
  private void heard(SliceObject slice) {
    lock.lock();
    try {
      heardSlice = newer(heardSlice, slice.metadata().resourceVersion());
    } finally {
      lock.unlock();
    }
  }

  /// A slice is gone. True when this changed something.
  public boolean removeSlice(ObjectKey key) {
    lock.lock();
    try {
      Slice known = slices.get(key);
      if (known != null) {
        triggers.remove(known.service());
      }
      return setSlice(key, null);
    } finally {
      lock.unlock();
    }
  }

  private boolean setSlice(ObjectKey key, @Nullable Slice now) {
    Slice known = slices.get(key);
    if (!slices.set(key, now)) {
      return false;
    }
    if (known != null) {
      byService.computeIfPresent(known.service(), (_, slices) -> without(slices, known));
      dirty.add(known.service());
    }
    if (now != null) {
      byService.merge(now.service(), List.of(now), Planner::sorted);
      dirty.add(now.service());
    }
    return true;
  }

  private static @Nullable List<Slice> without(List<Slice> slices, Slice gone) {
    List<Slice> left = slices.stream().filter(slice -> !slice.name().equals(gone.name())).toList();
    return left.isEmpty() ? null : left;
  }

  private static List<Slice> sorted(List<Slice> some, List<Slice> more) {
    return Stream.concat(some.stream(), more.stream())
        .sorted(Comparator.comparing(Slice::name))
        .toList();
  }

  /// A fact about the node changed. True when it really did; then every Service is decided again.
  public boolean put(NodeFacts now) {
    lock.lock();
    try {
      if (now.equals(node)) {
        return false;
      }
      node = now;
      nodeChanged = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// The facts about the node that the next plan is made for.
  public NodeFacts node() {
    lock.lock();
    try {
      return node;
    } finally {
      lock.unlock();
    }
  }

  /// The newest versions that were put in, and whether the last plan covers all of it.
  public record SeenVersions(String services, String slices, boolean planned) {}

  public SeenVersions seen() {
    lock.lock();
    try {
      return new SeenVersions(
          newestService,
          heardSlice,
          services.size() == 0 && slices.size() == 0 && dirty.isEmpty() && !nodeChanged);
    } finally {
      lock.unlock();
    }
  }

  /// How many Services and slices differ from the last plan.
  public record PendingCounts(int services, int slices) {}

  public PendingCounts waiting() {
    lock.lock();
    try {
      return new PendingCounts(services.size(), slices.size());
    } finally {
      lock.unlock();
    }
  }

  /// The plan for the newest state. Costs what has changed since the last call.
  public PlanUpdate plan() {
    lock.lock();
    try {
      Map<ObjectKey, Optional<List<ServicePort>>> before = services.take();
      slices.take();
      boolean whole = nodeChanged || plan.services().size() == 0;
      // Until it is decided: a failure in between must not lose what was taken.
      nodeChanged = true;
      Plan next = whole ? everything() : changed(before);
      nodeChanged = false;
      dirty.clear();
      plan = next;
      List<Instant> times = triggers.values().stream().flatMap(List::stream).toList();
      triggers.clear();
      return new PlanUpdate(next, times, newestSlice, newestService);
    } finally {
      lock.unlock();
    }
  }

  /// A plan of all there is.
  private Plan everything() {
    // On all processors: in a process that has just started this takes a while.
    return Plan.of(
        node,
        services.keys().parallelStream()
            .flatMap(
                key ->
                    ports(key).stream()
                        .map(port -> ServicePlan.of(port, endpoints(key, port), node)))
            .toList());
  }

  /// The plan with what has changed decided again.
  private Plan changed(Map<ObjectKey, Optional<List<ServicePort>>> before) {
    Plan next = plan;
    for (Map.Entry<ObjectKey, Optional<List<ServicePort>>> each : before.entrySet()) {
      for (ServicePort old : each.getValue().orElse(List.of())) {
        next = next.without(old.name());
      }
    }
    // A slice that changed back is no change, but deciding again about its Service does no harm.
    dirty.addAll(before.keySet());
    for (ObjectKey key : dirty) {
      for (ServicePort port : ports(key)) {
        next = next.with(ServicePlan.of(port, endpoints(key, port), node));
      }
    }
    return next;
  }

  private List<ServicePort> ports(ObjectKey key) {
    List<ServicePort> ports = services.get(key);
    return ports == null ? List.of() : ports;
  }

  /// The endpoints of a service port: those of slice ports with its name and protocol.
  private List<Backend> endpoints(ObjectKey key, ServicePort port) {
    List<Backend> found = new ArrayList<>();
    for (Slice slice : byService.getOrDefault(key, List.of())) {
      for (SliceObject.Port slicePort : slice.content().ports()) {
        if (slicePort.protocol() == port.protocol()
            && slicePort.name().equals(port.name().port())) {
          for (SliceObject.Endpoint endpoint : slice.content().endpoints()) {
            found.add(backend(endpoint, slicePort.port()));
          }
        }
      }
    }
    found.sort(Backend.BY_TEXT);
    return eachOnce(found);
  }

  private Backend backend(SliceObject.Endpoint endpoint, int port) {
    return new Backend(
        endpoint.address(),
        port,
        !endpoint.node().isEmpty() && endpoint.node().equals(node.name()),
        endpoint.ready(),
        endpoint.serving(),
        endpoint.terminating(),
        endpoint.zones(),
        endpoint.nodes());
  }

  /// An address may appear twice while it moves between slices: the last one that does not
  /// terminate counts, or else the first.
  ///
  /// @param sorted those with the same text in the order of their slices
  private static List<Backend> eachOnce(List<Backend> sorted) {
    List<Backend> once = new ArrayList<>(sorted.size());
    for (Backend backend : sorted) {
      if (once.isEmpty() || Backend.BY_TEXT.compare(once.getLast(), backend) != 0) {
        once.add(backend);
      } else if (!backend.terminating()) {
        once.set(once.size() - 1, backend);
      }
    }
    return List.copyOf(once);
  }
}
