package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ChangeHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The newest facts and which of them still have to be compiled. Informers put in, the compiling
/// thread takes out; many changes of one Service in between are one piece of work.
///
/// Guarded by its lock, which is held for memory work only.
final class Inputs {
  /// What waits to be compiled.
  ///
  /// @param services with the time of the change behind it in milliseconds, 0 when unknown
  /// @param namespaces whether they exist
  /// @param pods null for those that are gone
  record Batch(
      Map<ObjectKey, Long> services,
      Map<String, Boolean> namespaces,
      Map<ObjectKey, @Nullable PodFacts> pods) {
    boolean isEmpty() {
      return services.isEmpty() && namespaces.isEmpty() && pods.isEmpty();
    }
  }

  /// A Service with its slices in the order of their names.
  record ServiceInput(@Nullable ServiceFacts service, List<SliceFacts> slices) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<ObjectKey, ServiceFacts> services = new HashMap<>();
  private final Map<ObjectKey, TreeMap<String, SliceFacts>> slices = new HashMap<>();
  private Map<ObjectKey, Long> dirtyServices = new LinkedHashMap<>();
  private Map<String, Boolean> dirtyNamespaces = new LinkedHashMap<>();
  private Map<ObjectKey, @Nullable PodFacts> dirtyPods = new LinkedHashMap<>();
  private int ignoredSlices;

  /// Waits for work; an empty batch when none came in time.
  Batch take(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (isClean() && left > 0) {
        left = changed.awaitNanos(left);
      }
      Batch batch = new Batch(dirtyServices, dirtyNamespaces, dirtyPods);
      dirtyServices = new LinkedHashMap<>();
      dirtyNamespaces = new LinkedHashMap<>();
      dirtyPods = new LinkedHashMap<>();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private boolean isClean() {
    return dirtyServices.isEmpty() && dirtyNamespaces.isEmpty() && dirtyPods.isEmpty();
  }

  /// Whether nothing waits.
  boolean clean() {
    lock.lock();
    try {
      return isClean();
    } finally {
      lock.unlock();
    }
  }

  ServiceInput service(ObjectKey key) {
    lock.lock();
    try {
      Map<String, SliceFacts> found = slices.get(key);
      return new ServiceInput(
          services.get(key), found == null ? List.of() : new ArrayList<>(found.values()));
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

  ChangeHandler<NamespaceFacts> namespaceHandler() {
    return handler((before, now, _) -> dirtyNamespaces.put(name(before, now), now != null));
  }

  private static String name(@Nullable NamespaceFacts before, @Nullable NamespaceFacts now) {
    NamespaceFacts any = now == null ? before : now;
    return any == null ? "" : any.metadata().name();
  }

  ChangeHandler<ServiceFacts> serviceHandler() {
    return handler(
        (before, now, _) -> {
          if (now != null) {
            services.put(now.metadata().key(), now);
            if (before == null || !before.sameNames(now)) {
              dirtyServices.merge(now.metadata().key(), 0L, Math::max);
            }
          } else if (before != null) {
            services.remove(before.metadata().key());
            dirtyServices.merge(before.metadata().key(), 0L, Math::max);
          }
        });
  }

  ChangeHandler<SliceFacts> sliceHandler() {
    return handler(
        (before, now, initial) -> {
          ignoredSlices += (now != null && now.ignored() ? 1 : 0);
          ignoredSlices -= (before != null && before.ignored() ? 1 : 0);
          boolean moved = before != null && now != null && !before.service().equals(now.service());
          if (before != null && (now == null || moved)) {
            remove(before);
            dirtyServices.merge(before.service(), 0L, Math::max);
          }
          if (now != null) {
            slices
                .computeIfAbsent(now.service(), _ -> new TreeMap<>())
                .put(now.metadata().name(), now);
            if (before == null || moved || !before.sameNames(now)) {
              dirtyServices.merge(now.service(), initial ? 0L : now.changedAt(), Math::max);
            }
          }
        });
  }

  private void remove(SliceFacts slice) {
    slices.computeIfPresent(
        slice.service(),
        (_, left) -> {
          left.remove(slice.metadata().name());
          return left.isEmpty() ? null : left;
        });
  }

  ChangeHandler<PodFacts> podHandler() {
    return handler(
        (before, now, initial) -> {
          if (now != null) {
            // A pod keeps its name until it is really gone; one that was already going when we
            // came is not taken in (spec/dns.md 1.2).
            if (!now.terminating() || (before == null && !initial)) {
              dirtyPods.put(now.metadata().key(), now);
            }
          } else if (before != null) {
            dirtyPods.put(before.metadata().key(), null);
          }
        });
  }

  private interface Change<T> {
    void apply(@Nullable T before, @Nullable T now, boolean initial);
  }

  private <T> ChangeHandler<T> handler(Change<T> change) {
    return new ChangeHandler<>() {
      @Override
      public void added(T object, boolean initial) {
        run(null, object, initial);
      }

      @Override
      public void updated(T before, T now) {
        run(before, now, false);
      }

      @Override
      public void deleted(T last, boolean unseen) {
        run(last, null, false);
      }

      private void run(@Nullable T before, @Nullable T now, boolean initial) {
        lock.lock();
        try {
          change.apply(before, now, initial);
          changed.signal();
        } finally {
          lock.unlock();
        }
      }
    };
  }
}
