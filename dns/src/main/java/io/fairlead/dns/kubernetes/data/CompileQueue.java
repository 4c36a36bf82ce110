package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.informer.StateSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The newest facts and which of them still have to be compiled. The followers of the API put in,
/// the compiling thread takes out; many changes of one Service in between are one piece of work.
///
/// While slices are being sent as a whole, the Services they belong to are compiled only at the
/// end: half of them would be half an answer.
///
/// Guarded by its lock, which is held for memory work only.
final class CompileQueue {
  /// What waits to be compiled.
  ///
  /// @param services with the time of the change behind it in milliseconds, 0 when unknown
  /// @param namespaces whether they exist
  /// @param pods null for those that are gone
  record Batch(
      Map<ObjectKey, Long> services,
      Map<String, Boolean> namespaces,
      Map<ObjectKey, @Nullable PodFacts> pods) {
    Batch() {
      this(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    boolean isEmpty() {
      return services.isEmpty() && namespaces.isEmpty() && pods.isEmpty();
    }
  }

  /// A Service with its slices in the order of their names.
  record ServiceInput(@Nullable DnsServiceFacts service, List<SliceFacts> slices) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final FactStore<NamespaceFacts> namespaces = new FactStore<>();
  private final FactStore<DnsServiceFacts> services = new FactStore<>();
  private final FactStore<SliceFacts> slices = new FactStore<>();
  private final FactStore<PodFacts> pods = new FactStore<>();
  private final SlicesByService byService = new SlicesByService();
  // By kind; filled before anything is followed.
  private final Map<String, StateSink> sinks = new HashMap<>();
  private Batch dirty = new Batch();
  private Map<ObjectKey, Long> held = new LinkedHashMap<>();
  private boolean slicesUsable;
  private int ignoredSlices;

  /// Waits for work; an empty batch when none came in time.
  Batch take(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (dirty.isEmpty() && left > 0) {
        left = changed.awaitNanos(left);
      }
      Batch batch = dirty;
      dirty = new Batch();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /// Takes back entries that could not be compiled. A newer change of the same object wins.
  void putBack(Batch batch) {
    lock.lock();
    try {
      batch.services().forEach((key, at) -> dirty.services().merge(key, at, Math::max));
      batch.namespaces().forEach((name, exists) -> dirty.namespaces().putIfAbsent(name, exists));
      batch
          .pods()
          .forEach(
              (key, pod) -> {
                if (!dirty.pods().containsKey(key)) {
                  dirty.pods().put(key, pod);
                }
              });
    } finally {
      lock.unlock();
    }
  }

  /// Whether nothing waits.
  boolean clean() {
    lock.lock();
    try {
      return dirty.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  ServiceInput service(ObjectKey key) {
    lock.lock();
    try {
      return new ServiceInput(services.get(key), slicesUsable ? byService.of(key) : List.of());
    } finally {
      lock.unlock();
    }
  }

  /// Everything there is, in no order.
  List<DnsFacts> all() {
    lock.lock();
    try {
      List<DnsFacts> all = new ArrayList<>(namespaces.all());
      all.addAll(services.all());
      all.addAll(slices.all());
      all.addAll(pods.all());
      return all;
    } finally {
      lock.unlock();
    }
  }

  /// Takes in an object that was saved earlier, as if it had been sent.
  void restore(String kind, ObjectNode object) {
    StateSink sink = sinks.get(kind);
    if (sink != null) {
      sink.item(RawObject.of(object));
    }
  }

  /// All that was saved is taken in.
  void restored() {
    lock.lock();
    try {
      slicesUsable = true;
    } finally {
      lock.unlock();
    }
  }

  /// Slices that hold names instead of addresses.
  int ignoredSlices() {
    lock.lock();
    try {
      return ignoredSlices;
    } finally {
      lock.unlock();
    }
  }

  Sink<NamespaceFacts> namespaces(Function<RawObject, NamespaceFacts> read) {
    return new Sink<>(
        FactWriter.NAMESPACE,
        namespaces,
        read,
        (before, now, _) -> {
          NamespaceFacts any = now == null ? before : now;
          if (any != null && (before == null || now == null)) {
            dirty.namespaces().put(any.key().name(), now != null);
          }
        });
  }

  Sink<DnsServiceFacts> services(Function<RawObject, DnsServiceFacts> read) {
    return new Sink<>(
        FactWriter.SERVICE,
        services,
        read,
        (before, now, _) -> {
          DnsServiceFacts any = now == null ? before : now;
          if (before != null && now != null && before.sameNames(now)) {
            services.put(before);
          } else if (any != null) {
            dirty.services().merge(any.key(), 0L, Math::max);
          }
        });
  }

  Sink<SliceFacts> slices(Function<RawObject, SliceFacts> read) {
    return new Sink<>(FactWriter.SLICE, slices, read, this::slice) {
      @Override
      void completed() {
        slicesUsable = true;
        held.forEach((service, at) -> dirty.services().merge(service, at, Math::max));
        held = new LinkedHashMap<>();
      }
    };
  }

  private void slice(@Nullable SliceFacts before, @Nullable SliceFacts now, boolean initial) {
    if (before != null && now != null && before.sameNames(now)) {
      // The one that is known already stays the only one.
      slices.put(before);
      return;
    }
    if (before != null) {
      ignoredSlices -= before.ignored() ? 1 : 0;
      byService.remove(before);
      touched(before.service(), 0);
    }
    if (now != null) {
      ignoredSlices += now.ignored() ? 1 : 0;
      byService.add(now);
      touched(now.service(), initial ? 0 : now.changedAt());
    }
  }

  private void touched(ObjectKey service, long changedAt) {
    (slices.filling() ? held : dirty.services()).merge(service, changedAt, Math::max);
  }

  Sink<PodFacts> pods(Function<RawObject, PodFacts> read) {
    return new Sink<>(
        FactWriter.POD,
        pods,
        read,
        (before, now, initial) -> {
          if (now != null) {
            // A pod keeps its name until it is really gone; one that was already going when we
            // came is not taken in (spec/dns.md 1.2).
            if (!now.terminating() || (before == null && !initial)) {
              dirty.pods().put(now.key(), now);
            }
          } else if (before != null) {
            dirty.pods().put(before.key(), null);
          }
        });
  }

  private interface Change<T> {
    void apply(@Nullable T before, @Nullable T now, boolean initial);
  }

  /// Takes in what one follower reads.
  class Sink<T extends DnsFacts> implements StateSink {
    private final FactStore<T> kept;
    private final Function<RawObject, T> read;
    private final Change<T> change;

    @SuppressWarnings("ThisEscapedInObjectConstruction") // only put aside
    Sink(String kind, FactStore<T> kept, Function<RawObject, T> read, Change<T> change) {
      this.kept = kept;
      this.read = read;
      this.change = change;
      sinks.put(kind, this);
    }

    /// Whether a whole state was taken in once.
    boolean complete() {
      lock.lock();
      try {
        return kept.complete();
      } finally {
        lock.unlock();
      }
    }

    void completed() {}

    @Override
    public void begin() {
      locked(kept::begin);
    }

    @Override
    public void item(RawObject object) {
      put(object);
    }

    private void put(RawObject object) {
      T now = read.apply(object);
      locked(() -> change.apply(kept.put(now), now, !kept.complete()));
    }

    @Override
    public void without(ObjectNode object) {
      gone(ObjectKey.of(object));
    }

    @Override
    public void complete(String version) {
      locked(
          () -> {
            for (ObjectKey key : kept.end()) {
              change.apply(kept.remove(key), null, false);
            }
            completed();
          });
    }

    @Override
    public void change(RawObject object, String version) {
      put(object);
    }

    @Override
    public void remove(RawObject object, String version) {
      gone(ObjectKey.of(object.tree()));
    }

    @Override
    public void advance(String version) {}

    private void gone(ObjectKey key) {
      locked(() -> change.apply(kept.remove(key), null, false));
    }

    private void locked(Runnable work) {
      lock.lock();
      try {
        work.run();
        changed.signal();
      } finally {
        lock.unlock();
      }
    }
  }
}
