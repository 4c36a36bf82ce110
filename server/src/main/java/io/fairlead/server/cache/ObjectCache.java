package io.fairlead.server.cache;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.store.KeyChange;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// All objects of one resource, in key order, and its latest changes.
///
/// Changes arrive from one thread ([Caches]); readers and watchers come from any. The lock is held
/// for memory work only.
public final class ObjectCache {
  private final Resource resource;
  private final ResourceDescriptor descriptor;
  private final CachedObjectReader reader;
  private final Lister lister;
  private final WatchStarter starter;
  private final ReentrantLock lock = new ReentrantLock();
  // Written under the lock; single gets read it without.
  private final ConcurrentSkipListMap<String, CachedObject> objects = new ConcurrentSkipListMap<>();
  // Guarded by lock.
  private final RecentChanges recent = new RecentChanges(System::nanoTime);
  private final WatcherIndex watchers = new WatcherIndex();
  private volatile long changedAt;
  private final AtomicLong acknowledged = new AtomicLong();
  // Guarded by lock. Of a cache that was made while the store is followed, and is not loaded yet.
  private @Nullable List<KeyChange> early;
  private long loadedAt;
  private boolean ended;

  ObjectCache(Resource resource, Store store, Caches caches, int watcherQueue) {
    this.resource = resource;
    this.descriptor = resource.descriptor();
    this.early = new ArrayList<>();
    this.reader = new CachedObjectReader(resource);
    this.lister = new Lister(this, store, caches);
    this.starter = new WatchStarter(this, store, caches, watcherQueue);
  }

  public Resource resource() {
    return resource;
  }

  ResourceDescriptor descriptor() {
    return descriptor;
  }

  CachedObjectReader reader() {
    return reader;
  }

  /// The object as the cache knows it, or null. `namespace` is ignored for cluster-scoped
  /// resources.
  public @Nullable CachedObject get(String namespace, String name) {
    return objects.get(descriptor.key(namespace, name));
  }

  /// How an object that was just stored is answered, with a line end; null when it is stored in a
  /// form other than its own.
  public byte @Nullable [] answer(byte[] stored, long revision) {
    return reader.answer(stored, revision);
  }

  /// A list by the rules of resourceVersion, resourceVersionMatch, limit and continue.
  public ListPage list(ListQuery query) {
    return lister.list(query);
  }

  /// Starts a watch. Wrong parameters are thrown here; a history that is gone ends the watcher with
  /// that reason.
  public CacheWatcher watch(WatchQuery query) {
    return starter.watch(query);
  }

  /// The revision of the newest change of this resource: what is derived from its objects is
  /// derived again when it has grown.
  public long changedAt() {
    return changedAt;
  }

  public int size() {
    return objects.size();
  }

  boolean isEmpty() {
    return objects.isEmpty();
  }

  /// A client is about to be told that this commit, which changes an object here, is made.
  void acknowledged(long committed) {
    acknowledged.accumulateAndGet(committed, Math::max);
  }

  /// The newest commit of one of these objects that a client was told of.
  public long acknowledged() {
    return acknowledged.get();
  }

  /// How many watches are open.
  public int watcherCount() {
    lock.lock();
    try {
      return watchers.all().size();
    } finally {
      lock.unlock();
    }
  }

  /// Replaces everything by the state at that revision and the changes since that came early; an
  /// older state than the present one is left alone. Running watches end and will be resumed.
  void load(List<StoreEntry> entries, long revision) {
    List<CachedObject> loaded = entries.parallelStream().map(reader::read).toList();
    lock.lock();
    try {
      if (revision < loadedAt) {
        return;
      }
      List<KeyChange> later = early == null ? List.of() : early;
      early = null;
      loadedAt = revision;
      objects.clear();
      loaded.forEach(object -> objects.put(object.key(), object));
      recent.restart(revision);
      changedAt = revision;
      watchers.all().forEach(watcher -> watcher.end(null));
      later.forEach(change -> take(change, read(change)));
    } finally {
      lock.unlock();
    }
  }

  /// Takes over one change and hands it to the watchers.
  void apply(KeyChange change) {
    CachedObject current = read(change);
    lock.lock();
    try {
      if (early != null) {
        early.add(change);
      } else {
        take(change, current);
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable CachedObject read(KeyChange change) {
    StoreEntry entry = change.current();
    return entry == null ? null : reader.read(entry);
  }

  /// Called with the lock held.
  private void take(KeyChange change, @Nullable CachedObject current) {
    if (change.revision() <= loadedAt) {
      return;
    }
    CachedObject previous =
        current == null ? objects.remove(change.key()) : objects.put(current.key(), current);
    changedAt = change.revision();
    if (current == null && previous == null) {
      return;
    }
    recent.add(change.revision(), current, previous);
    CacheChange noted = new CacheChange(change.revision(), current, previous);
    watchers.forEachConcerned(noted.subject(), watcher -> watcher.offer(noted));
  }

  /// Calls the action with the present objects under a key prefix, while nothing can change, and
  /// the revision of the newest change.
  void readUnderLock(String prefix, Consumer<Iterator<CachedObject>> action) {
    lock.lock();
    try {
      action.accept(objects.subMap(prefix, prefix + Character.MAX_VALUE).values().iterator());
    } finally {
      lock.unlock();
    }
  }

  /// Makes a watcher live so that it sees every change after `revision`.
  ///
  /// @return false when the changes kept do not reach back that far
  boolean attachAfter(long revision, CacheWatcher watcher) {
    lock.lock();
    try {
      if (!recent.reachesBackTo(revision)) {
        return false;
      }
      if (ended) {
        watcher.end(null);
        return true;
      }
      watcher.goLive(revision);
      recent.forEach(watcher::offer);
      watchers.add(watcher);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Makes a watcher live with the present state as its initial events.
  ///
  /// @param markEnd adds the bookmark that ends them
  void attachWithState(CacheWatcher watcher, boolean markEnd, LongSupplier revision) {
    long reached = revision.getAsLong();
    lock.lock();
    try {
      List<CachedObject> state = new ArrayList<>();
      String prefix = descriptor.keyPrefix(watcher.selection().namespace());
      for (CachedObject object : objects.subMap(prefix, prefix + Character.MAX_VALUE).values()) {
        if (watcher.judgesLate() || watcher.selection().matches(object)) {
          state.add(object);
        }
      }
      watcher.begin(
          new InitialEvents(state, markEnd ? Math.max(reached, changedAt) : InitialEvents.NO_END));
      watcher.goLive(changedAt);
      watchers.add(watcher);
      if (ended) {
        watcher.end(null);
      }
    } finally {
      lock.unlock();
    }
  }

  void detach(CacheWatcher watcher) {
    lock.lock();
    try {
      watchers.remove(watcher);
    } finally {
      lock.unlock();
    }
  }

  /// Ends all watches for good: the resource is no longer served as this cache knows it.
  void end() {
    lock.lock();
    try {
      ended = true;
    } finally {
      lock.unlock();
    }
    endWatches();
  }

  void endWatches() {
    lock.lock();
    try {
      watchers.all().forEach(watcher -> watcher.end(null));
    } finally {
      lock.unlock();
    }
  }
}
