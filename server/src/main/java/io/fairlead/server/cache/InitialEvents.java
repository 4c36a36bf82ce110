package io.fairlead.server.cache;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// The present state as ADDED events, made while they are sent, and the bookmark behind them.
final class InitialEvents implements Iterator<WatchEvent> {
  static final long NO_END = -1;

  private final Iterator<CachedObject> objects;
  private long endRevision;

  /// @param endRevision the revision of the closing bookmark, [#NO_END] for none
  InitialEvents(List<CachedObject> objects, long endRevision) {
    this.objects = objects.iterator();
    this.endRevision = endRevision;
  }

  @Override
  public boolean hasNext() {
    return objects.hasNext() || endRevision != NO_END;
  }

  @Override
  public WatchEvent next() {
    if (objects.hasNext()) {
      return new WatchEvent(WatchEvent.Type.ADDED, objects.next());
    }
    if (endRevision == NO_END) {
      throw new NoSuchElementException();
    }
    WatchEvent end = WatchEvent.initialEventsEnd(endRevision);
    endRevision = NO_END;
    return end;
  }
}
