package io.fairlead.server.cache;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Resource;
import io.fairlead.store.KeyChange;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.store.Write;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The caches of all resources, fed by one watch of the store.
///
/// One watch, not one per resource, because then one revision tells how far all of them have come,
/// and a read that must be fresh waits for that number only. The store's watch thread applies the
/// changes; when the watch ends (history compacted under it, engine gone) the loop `cache-reload`
/// loads everything again.
public final class Caches implements AutoCloseable {
  /// How long a reader waits for a revision before the answer says that it is too large.
  public static final Duration FRESHNESS = Duration.ofSeconds(3);

  /// The kind of the loop that loads again.
  static final String LOOP = "cache-reload";

  private static final Logger log = LoggerFactory.getLogger(Caches.class);
  private static final String ROOT = "/registry/";
  private static final Backoff RELOAD_BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));
  private static final long ASK_PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Store store;
  private final int watcherQueue;
  private final CacheIndex builtIn;
  private final ClaimedKeys claims;
  private final ClusterReader reader;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private final Condition watchEnded = lock.newCondition();
  private final SupervisedLoop reloading;
  // Written under the lock.
  private volatile long revision;
  private volatile @Nullable Watch watch;
  private volatile @Nullable Feed feed;
  private volatile boolean closed;
  // Replaced by the one thread that follows the definitions of custom resources.
  private volatile CacheIndex index;

  private Caches(Store store, List<Resource> resources, int watcherQueue) {
    this.store = store;
    this.reloading = SupervisedLoop.of(LOOP).backoff(RELOAD_BACKOFF).build(this::reload);
    this.claims =
        new ClaimedKeys(resources.stream().flatMap(each -> each.claimPrefixes().stream()).toList());
    this.reader = new CachedClusterReader(this, claims);
    this.watcherQueue = watcherQueue;
    this.builtIn =
        CacheIndex.of(
            resources.stream()
                .filter(each -> !each.descriptor().storagePrefix().isEmpty())
                .map(each -> new ObjectCache(each, store, this, watcherQueue))
                .toList());
    this.index = builtIn;
  }

  /// Keeps caches of these resources beside those it began with, and of no others. Returns when the
  /// new ones are as new as the store was at the call; the watches of those that go are ended. A
  /// resource that was there before keeps its cache. Called by one thread at a time.
  public void define(List<Resource> custom) {
    CacheIndex before = index;
    List<ObjectCache> kept = new ArrayList<>();
    List<ObjectCache> added = new ArrayList<>();
    for (Resource resource : custom) {
      ObjectCache known = before.of(resource);
      if (known != null && known.resource().equals(resource)) {
        kept.add(known);
      } else {
        added.add(new ObjectCache(resource, store, this, watcherQueue));
      }
    }
    CacheIndex next =
        CacheIndex.of(Stream.of(builtIn.all(), kept, added).flatMap(Collection::stream).toList());
    // From here on the new caches note what changes while they load.
    index = next;
    before.all().stream().filter(cache -> !next.all().contains(cache)).forEach(ObjectCache::end);
    if (added.isEmpty()) {
      return;
    }
    long at = store.revision();
    for (ObjectCache cache : added) {
      cache.load(store.range(new Range(cache.descriptor().keyPrefix(""), "", 0, at)).entries(), at);
    }
    awaitRevision(at, FRESHNESS);
  }

  /// Loads everything and begins to follow the store. Returns when the caches are as new as the
  /// store was at the call.
  ///
  /// @param watcherQueue how many events a slow watcher may lag behind
  public static Caches start(Store store, List<Resource> resources, int watcherQueue) {
    Caches caches = new Caches(store, resources, watcherQueue);
    caches.loadAndFollow();
    caches.reloading.start();
    return caches;
  }

  /// The cache of a stored resource in its own version.
  public ObjectCache of(Resource resource) {
    ObjectCache cache = index.of(resource);
    if (cache == null) {
      if (resource.isCustom()) {
        // Its definition went away while the request was on its way.
        throw ApiException.noSuchResource();
      }
      throw new IllegalArgumentException("no stored resource " + resource.descriptor().plural());
    }
    return cache;
  }

  /// The cache of a stored resource in its preferred version.
  public ObjectCache of(String group, String plural) {
    ObjectCache cache = index.of(group, plural);
    if (cache == null) {
      throw new IllegalArgumentException("no stored resource " + plural + " of group " + group);
    }
    return cache;
  }

  /// The same; null when the server serves no such resource.
  public @Nullable ObjectCache find(String group, String plural) {
    return index.of(group, plural);
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

  /// A client is about to be told that these writes are made: who reads one of these kinds for a
  /// request waits for them. Readers of other kinds do not.
  public void acknowledged(List<Write> writes, long committed) {
    CacheIndex known = index;
    for (Write write : writes) {
      if (write instanceof Write.Check) {
        continue;
      }
      List<ObjectCache> holding = known.holding(write.key());
      if (holding.isEmpty()) {
        claims.acknowledged(committed);
      } else {
        holding.forEach(cache -> cache.acknowledged(committed));
      }
    }
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
          throw ListOptionsValidation.tooLarge(asked, revision);
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
      throw ListOptionsValidation.tooLarge(asked, revision);
    } finally {
      lock.unlock();
    }
  }

  /// Reads for those who work on a request, of caches that have every commit acknowledged so far:
  /// the store's watch comes a moment later than the answer to a write.
  public ClusterReader reader() {
    return reader;
  }

  /// Ends all watches at once. Idempotent.
  @Override
  public void close() {
    closed = true;
    reloading.close();
    endWatches();
  }

  private void endWatches() {
    Watch open = watch;
    if (open != null) {
      watch = null;
      open.close();
    }
    index.all().forEach(ObjectCache::endWatches);
  }

  private void loadAndFollow() {
    long at = store.revision();
    for (ObjectCache cache : index.all()) {
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
    if (closed) {
      endWatches();
    }
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

  private void apply(KeyChange change) {
    List<ObjectCache> concerned = index.holding(change.key());
    if (concerned.isEmpty()) {
      claims.apply(change);
    } else {
      concerned.forEach(cache -> cache.apply(change));
    }
  }

  /// Waits until the store's watch has ended, and loads everything again. A step that fails finds
  /// the watch still ended and tries again.
  private void reload() throws InterruptedException {
    lock.lock();
    try {
      while (isFollowing()) {
        watchEnded.await();
      }
    } finally {
      lock.unlock();
    }
    loadAndFollow();
  }

  /// Called by the store's watch thread.
  private final class Feed implements WatchListener {
    private volatile boolean ended;

    @Override
    public void onChanges(List<KeyChange> changes) {
      changes.forEach(Caches.this::apply);
      advance(changes.getLast().revision());
    }

    @Override
    public void onProgress(long reached) {
      advance(reached);
    }

    @Override
    public void onEnd(StoreException cause) {
      if (!closed) {
        log.atWarn().setCause(cause).log("the store's watch ended, loading everything again");
      }
      lock.lock();
      try {
        ended = true;
        watchEnded.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
