package io.fairlead.store;

import java.util.List;

/// Receives what a [Watch] sees.
public interface WatchListener {
  /// Changes in revision order; all changes of one commit are in one call.
  void onChanges(List<KeyChange> changes);

  /// Everything up to and including that revision has been delivered.
  void onProgress(long revision);

  /// The watch has ended and will deliver no more: history was compacted ([CompactedException]), or
  /// the engine is gone. The watcher must read again.
  void onEnd(StoreException cause);
}
