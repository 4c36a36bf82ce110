package io.fairlead.bench.faults;

import io.fairlead.store.KeyChange;
import io.fairlead.store.StoreException;
import io.fairlead.store.WatchListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps everything a watch delivers.
final class ChangeCollector implements WatchListener {
  private final List<KeyChange> changes = new ArrayList<>();
  private long reached;
  private @Nullable StoreException end;

  @Override
  public synchronized void onChanges(List<KeyChange> more) {
    changes.addAll(more);
    reached = Math.max(reached, more.getLast().revision());
  }

  @Override
  public synchronized void onProgress(long revision) {
    reached = Math.max(reached, revision);
  }

  @Override
  public synchronized void onEnd(StoreException cause) {
    end = cause;
  }

  /// The last revision that is known to be delivered.
  ///
  /// @throws StoreException when the watch has ended before
  synchronized long reached() {
    if (end != null) {
      throw end;
    }
    return reached;
  }

  synchronized List<KeyChange> changes() {
    return List.copyOf(changes);
  }
}
