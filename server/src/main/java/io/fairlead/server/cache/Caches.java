package io.fairlead.server.cache;

import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Resource;
import io.fairlead.store.Change;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// The caches of all resources, fed by one watch of the store.
///
/// One watch, not one per resource, because then one revision tells how far all of them have come,
/// and a read that must be fresh waits for that number only. The store's watch thread applies the
/// changes; when the watch ends (history compacted under it, engine gone) everything is loaded
/// anew.
public final class Caches implements AutoCloseable {
  /// How long a reader waits for a revision before it is told that it is too large.
  public static final Duration FRESHNESS = Duration.ofSeconds(3);

  private static final Logger log = LoggerFactory.getLogger(Caches.class);
  private static final String ROOT = "/registry/";
  private static final long RETRY_SECONDS = 1;
  private static final long ASK_PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Store store;
  // A resource may be served in several versions; the first is the preferred one.
  private final Map<String, ObjectCache> byVersion = new LinkedHashMap<>();
  private final Map<String, ObjectCache> byName = new LinkedHashMap<>();
  private final TreeMap<String, List<ObjectCache>> byPrefix = new TreeMap<>();
  private final Claims claims;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private final CountDownLatch closing = new CountDownLatch(1);
  // Written under the lock.
  private volatile long revision;
  private volatile @Nullable Watch watch;
  private volatile @Nullable Feed feed;

  private Caches(Store store, List<Resource> resources, int watcherQueue) {
    this.store = store;
    this.claims =
        new Claims(resources.stream().flatMap(each -> each.claimPrefixes().stream()).toList());
    for (Resource resource : resources) {
      if (!resource.descriptor().storagePrefix().isEmpty()) {
        ObjectCache cache = new ObjectCache(resource, store, this, watcherQueue);
        byVersion.put(
            name(resource.descriptor().apiVersion(), resource.descriptor().plural()), cache);
        byName.putIfAbsent(
            name(resource.descriptor().group(), resource.descriptor().plural()), cache);
        byPrefix.merge(
            resource.descriptor().keyPrefix(""),
            List.of(cache),
            (one, two) -> List.of(one.getFirst(), two.getFirst()));
      }
    }
  }

  /// Loads everything and begins to follow the store. Returns when the caches are as new as the
  /// store was at the call.
  ///
  /// @param watcherQueue how many events a slow watcher may lag behind
  public static Caches start(Store store, List<Resource> resources, int watcherQueue) {
    Caches caches = new Caches(store, resources, watcherQueue);
    caches.loadAndFollow();
    return caches;
  }

  /// The cache of a stored resource in its own version.
  public ObjectCache of(Resource resource) {
    String name = name(resource.descriptor().apiVersion(), resource.descriptor().plural());
    ObjectCache cache = byVersion.get(name);
    if (cache == null) {
      throw new IllegalArgumentException("no stored resource " + name);
    }
    return cache;
  }

  /// The cache of a stored resource in its preferred version.
  public ObjectCache of(String group, String plural) {
    ObjectCache cache = byName.get(name(group, plural));
    if (cache == null) {
      throw new IllegalArgumentException("no stored resource " + name(group, plural));
    }
    return cache;
  }

  /// Every change up to and including this revision is in the caches and with the watchers.
  public long revision() {
    return revision;
  }

  /// Whether the store's watch is open; while it is not, reads show what was last known.
  public boolean isFollowing() {
    Feed present = feed;
    return present != null && !present.ended;
  }

  /// Waits until every commit that anyone had acknowledged before this call is in the caches.
  public void awaitFresh() {
    awaitRevision(store.revision(), FRESHNESS);
  }

  /// Waits for a revision.
  ///
  /// @throws io.fairlead.api.status.ApiException 504 when it does not come in time
  public void awaitRevision(long asked, Duration atMost) {
    if (revision >= asked) {
      return;
    }
    lock.lock();
    try {
      long left = atMost.toNanos();
      boolean progressAsked = false;
      while (revision < asked) {
        if (left <= 0) {
          throw ListRules.tooLarge(asked, revision);
        }
        // The revision may belong to a key outside the watched ones: then only progress tells.
        long step = progressAsked ? left : Math.min(left, ASK_PROGRESS_NANOS);
        long rest = advanced.awaitNanos(step);
        left -= step - Math.max(0, rest);
        if (!progressAsked && rest <= 0) {
          progressAsked = true;
          askProgress();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ListRules.tooLarge(asked, revision);
    } finally {
      lock.unlock();
    }
  }

  /// Reads for those who work on a request.
  public ClusterReader reader() {
    return new ClusterReader() {
      @Override
      public @Nullable ObjectNode get(String group, String plural, String namespace, String name) {
        CachedObject found = of(group, plural).get(namespace, name);
        return found == null ? null : found.tree();
      }

      @Override
      public boolean has(String group, String plural, String namespace, String name) {
        return of(group, plural).get(namespace, name) != null;
      }

      @Override
      public boolean isClaimed(String key) {
        return claims.contains(key);
      }

      @Override
      public List<Map<String, String>> labels(String group, String plural, String namespace) {
        return all(group, plural, namespace).stream().map(CachedObject::labels).toList();
      }

      @Override
      public List<ObjectNode> list(String group, String plural, String namespace) {
        return all(group, plural, namespace).stream().map(CachedObject::tree).toList();
      }

      private List<CachedObject> all(String group, String plural, String namespace) {
        ListQuery query = new ListQuery(Selection.namespace(namespace), "0", "", 0, "");
        return of(group, plural).list(query).items();
      }
    };
  }

  /// Ends all watches at once.
  @Override
  public void close() {
    closing.countDown();
    Watch open = watch;
    if (open != null) {
      open.close();
    }
    byVersion.values().forEach(ObjectCache::endWatches);
  }

  private void loadAndFollow() {
    long at = store.revision();
    for (ObjectCache cache : byVersion.values()) {
      String prefix = cache.descriptor().keyPrefix("");
      cache.load(store.range(new Range(prefix, "", 0, at)).entries(), at);
    }
    for (String prefix : claims.prefixes()) {
      claims.load(prefix, store.range(new Range(prefix, "", 0, at)).entries());
    }
    advance(at);
    Feed next = new Feed();
    watch = store.watch(ROOT, at, next);
    feed = next;
    if (isClosed()) {
      close();
    }
  }

  private boolean isClosed() {
    return closing.getCount() == 0;
  }

  private void askProgress() {
    Watch open = watch;
    if (open != null) {
      open.requestProgress();
    }
  }

  private void advance(long reached) {
    lock.lock();
    try {
      if (reached > revision) {
        revision = reached;
        advanced.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void apply(Change change) {
    Map.Entry<String, List<ObjectCache>> place = byPrefix.floorEntry(change.key());
    if (place != null && change.key().startsWith(place.getKey())) {
      for (ObjectCache cache : place.getValue()) {
        cache.apply(change);
      }
    } else {
      claims.apply(change);
    }
  }

  private void reload(StoreException cause) {
    log.atWarn().setCause(cause).log("the store's watch ended, loading everything anew");
    while (!isClosed()) {
      try {
        loadAndFollow();
        return;
      } catch (StoreException e) {
        log.atWarn().setCause(e).log("the store does not answer, trying again");
        pause();
      }
    }
  }

  private void pause() {
    try {
      boolean unused = closing.await(RETRY_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String name(String group, String plural) {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /// Called by the store's watch thread.
  private final class Feed implements WatchListener {
    private volatile boolean ended;

    @Override
    public void onChanges(List<Change> changes) {
      changes.forEach(Caches.this::apply);
      advance(changes.getLast().revision());
    }

    @Override
    public void onProgress(long reached) {
      advance(reached);
    }

    @Override
    public void onEnd(StoreException cause) {
      ended = true;
      if (!isClosed()) {
        Thread.ofVirtual().name("cache-reload").start(() -> reload(cause));
      }
    }
  }
}
