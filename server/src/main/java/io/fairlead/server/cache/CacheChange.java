package io.fairlead.server.cache;

import org.jspecify.annotations.Nullable;

/// A change of one object, and the events it is to watchers. Which event it is depends on the
/// watcher's selection: an object that starts to match is ADDED, one that stops is DELETED.
final class CacheChange {
  private final long revision;
  private final @Nullable CachedObject current;
  private final @Nullable CachedObject previous;
  private @Nullable WatchEvent added;
  private @Nullable WatchEvent modified;
  private @Nullable WatchEvent deleted;

  CacheChange(long revision, @Nullable CachedObject current, @Nullable CachedObject previous) {
    this.revision = revision;
    this.current = current;
    this.previous = previous;
  }

  long revision() {
    return revision;
  }

  /// The event for that selection, null when it sees nothing. Two threads that ask at the same time
  /// may get two events, with equal content.
  @Nullable WatchEvent eventFor(SelectionPredicate selection) {
    boolean now = current != null && selection.matches(current);
    boolean before = previous != null && selection.matches(previous);
    if (now) {
      return before ? modified() : added();
    }
    return before ? deleted() : null;
  }

  /// The namespace and name of the object concerned.
  CachedObject subject() {
    CachedObject subject = current != null ? current : previous;
    if (subject == null) {
      throw new IllegalStateException("a change without an object");
    }
    return subject;
  }

  private WatchEvent added() {
    if (added == null) {
      added = new WatchEvent(WatchEvent.Type.ADDED, subject());
    }
    return added;
  }

  private WatchEvent modified() {
    if (modified == null) {
      modified = new WatchEvent(WatchEvent.Type.MODIFIED, subject());
    }
    return modified;
  }

  private WatchEvent deleted() {
    if (deleted == null) {
      CachedObject last = previous != null ? previous : subject();
      deleted = new WatchEvent(WatchEvent.Type.DELETED, last.at(revision));
    }
    return deleted;
  }
}
