package io.fairlead.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A revisioned key-value store with an ordered watch: what an API server stands on.
///
/// How it works: the whole store has one 64-bit revision. Every successful commit takes the next
/// one and all keys it writes carry it. History is kept until it is compacted, so that a reader can
/// page through one moment and a watcher can resume where it stopped.
///
/// Every engine behind this interface passes the same contract test. All methods may be called from
/// any thread and block the caller (virtual threads are expected).
public interface Store extends AutoCloseable {

  /// The newest revision that is durable and visible. With a shared engine (etcd) this asks the
  /// engine, so the answer is never older than a commit that anyone had acknowledged before.
  long revision();

  /// The revision up to which history is gone; reads below it and watches from below it fail.
  long compactedRevision();

  /// The newest entry under that key, or null when there is none.
  @Nullable StoreEntry get(String key);

  /// A page of the entries whose key starts with `range.prefix()`, in bytewise key order, as they
  /// were at one revision.
  ///
  /// @throws CompactedException when that revision is below the compacted one
  /// @throws FutureRevisionException when the store has not reached that revision
  RangeResult range(Range range);

  /// Applies all writes or none. Durable before it returns.
  ///
  /// @return the revision taken, or the first write whose expectation did not hold
  /// @throws StoreException when the engine refuses (disk full, no quorum): nothing was written,
  ///   unless [StoreException#outcomeUnknown()]
  CommitResult commit(List<Write> writes);

  /// Delivers every change of a key under `prefix` with a revision greater than `afterRevision`,
  /// once and in revision order, until the returned watch is closed. Changes of one commit are
  /// delivered together. The listener is called from one thread at a time, which it must not block
  /// for long.
  ///
  /// @throws CompactedException when history from there is gone
  Watch watch(String prefix, long afterRevision, WatchListener listener);

  /// Forgets history up to and including that revision, in bounded steps beside other work. Entries
  /// that are still current stay. A revision at or below the compacted one does nothing.
  void compact(long revision);

  /// Whether others, in other processes, may use the same engine at the same time.
  default boolean isShared() {
    return false;
  }

  /// Stops watches and releases what is held. Idempotent.
  @Override
  void close();
}
