package io.fairlead.server;

import io.fairlead.store.CommitResult;
import io.fairlead.store.Range;
import io.fairlead.store.RangeResult;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.store.Write;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A store that several servers use one after the other: closing it leaves the real one open. It
/// can also be cut off from its users, as an engine that is gone.
class SharedStore implements Store {
  private final Store store;
  private final List<WatchListener> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean cut;

  SharedStore(Store store) {
    this.store = store;
  }

  /// From now on every call fails, and open watches end.
  void cut() {
    cut = true;
    listeners.forEach(each -> each.onEnd(gone()));
    listeners.clear();
  }

  void mend() {
    cut = false;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public long revision() {
    return reached().revision();
  }

  @Override
  public long compactedRevision() {
    return reached().compactedRevision();
  }

  @Override
  public @Nullable StoreEntry get(String key) {
    return reached().get(key);
  }

  @Override
  public RangeResult range(Range range) {
    return reached().range(range);
  }

  @Override
  public CommitResult commit(List<Write> writes) {
    return reached().commit(writes);
  }

  @Override
  public Watch watch(String prefix, long afterRevision, WatchListener listener) {
    Watch watch = reached().watch(prefix, afterRevision, listener);
    listeners.add(listener);
    return watch;
  }

  @Override
  public void compact(long revision) {
    reached().compact(revision);
  }

  @Override
  public void close() {}

  private Store reached() {
    if (cut) {
      throw gone();
    }
    return store;
  }

  private static StoreException gone() {
    return new StoreException("the engine is gone", null);
  }
}
