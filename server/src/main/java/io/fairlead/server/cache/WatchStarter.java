package io.fairlead.server.cache;

import io.fairlead.store.CompactedException;
import io.fairlead.store.KeyChange;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.work.Tasks;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Starts watches: with the present state, from recent changes, or from the store's history when a
/// client resumes from further back (after a restart, for example).
final class WatchStarter {
  private final ObjectCache cache;
  private final Store store;
  private final Caches caches;
  private final int capacity;

  WatchStarter(ObjectCache cache, Store store, Caches caches, int capacity) {
    this.cache = cache;
    this.store = store;
    this.caches = caches;
    this.capacity = capacity;
  }

  CacheWatcher watch(WatchQuery query) {
    ListOptionsValidation.check(query);
    long asked = ListOptionsValidation.revision(query.resourceVersion());
    if (query.resourceVersion().isEmpty()) {
      caches.awaitFresh();
    } else if (query.sendInitialEvents() != null) {
      caches.awaitRevision(asked, Caches.FRESHNESS);
    }
    boolean withState = query.sendInitialEvents() == null ? asked == 0 : query.sendInitialEvents();
    CatchUp catchUp = new CatchUp(query.selection());
    if (withState) {
      boolean markEnd = query.sendInitialEvents() != null && query.bookmarks();
      cache.attachWithState(catchUp.watcher, markEnd, caches::revision);
    } else {
      long from = asked == 0 ? caches.revision() : asked;
      if (!cache.attachAfter(from, catchUp.watcher)) {
        catchUp.start(from);
      }
    }
    return catchUp.watcher;
  }

  /// Feeds a watcher from the store's history until recent changes reach back far enough to take
  /// over. Called by the store's watch thread, except [#start] and [#stop].
  private final class CatchUp implements WatchListener {
    private final CacheWatcher watcher;
    private final AtomicReference<@Nullable Watch> history = new AtomicReference<>();
    private volatile boolean done;

    CatchUp(SelectionPredicate selection) {
      watcher =
          new CacheWatcher(
              selection,
              selection.isAnsweredRemotely(cache.reader()),
              capacity,
              caches::revision,
              this::stop);
    }

    void start(long from) {
      try {
        Watch opened =
            store.watch(cache.descriptor().keyPrefix(watcher.selection().namespace()), from, this);
        history.set(opened);
        if (done) {
          closeHistory();
        } else {
          opened.requestProgress();
        }
      } catch (CompactedException e) {
        watcher.end(ListOptionsValidation.watchTooOld(from, e.compacted()));
      }
    }

    @Override
    public void onChanges(List<KeyChange> changes) {
      if (done) {
        return;
      }
      for (KeyChange change : changes) {
        watcher.offer(
            new CacheChange(change.revision(), read(change.current()), read(change.previous())));
      }
      takeOver(changes.getLast().revision());
    }

    @Override
    public void onProgress(long revision) {
      if (!done) {
        takeOver(revision);
      }
    }

    @Override
    public void onEnd(StoreException cause) {
      if (!done) {
        watcher.end(
            cause instanceof CompactedException gone
                ? ListOptionsValidation.watchTooOld(gone.asked(), gone.compacted())
                : null);
      }
    }

    private void takeOver(long delivered) {
      if (cache.attachAfter(delivered, watcher)) {
        done = true;
        // A listener must not wait for its own watch to end.
        Tasks.start("watch-caught-up", this::closeHistory);
      }
    }

    private @Nullable CachedObject read(@Nullable StoreEntry entry) {
      return entry == null ? null : cache.reader().read(entry);
    }

    private void stop() {
      done = true;
      cache.detach(watcher);
      closeHistory();
    }

    private void closeHistory() {
      Watch opened = history.getAndSet(null);
      if (opened != null) {
        opened.close();
      }
    }
  }
}
