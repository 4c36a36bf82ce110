package io.fairlead.controller.endpointslice;

import io.fairlead.client.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Tells our own changes of slices from those of others, so that only the latter cause another
/// look.
///
/// How it works: a write is known by the uid and the version it was given. Its event may come
/// before its answer, so while a Service's slices are being written, what is seen of them is set
/// aside and judged at the end. A slice we deleted is known by its uid and counts as gone at once;
/// nothing else is remembered, so no slice that is held back by a finalizer or taken over by
/// another client can stall its Service. Guarded by itself.
final class EndpointSliceTracker {
  private record Version(String uid, String resourceVersion) {}

  private static final class Round {
    final Set<Version> seen = new HashSet<>();
    final Set<String> seenGone = new HashSet<>();
  }

  private final Map<ObjectKey, Round> rounds = new HashMap<>();
  private final Map<String, String> written = new HashMap<>();
  private final Map<ObjectKey, Set<String>> deleted = new HashMap<>();

  /// A Service's slices are about to be written.
  synchronized void begin(ObjectKey service) {
    rounds.put(service, new Round());
  }

  synchronized void wrote(String uid, String resourceVersion) {
    written.put(uid, resourceVersion);
  }

  synchronized void deleted(ObjectKey service, String uid) {
    deleted.computeIfAbsent(service, _ -> new HashSet<>()).add(uid);
  }

  /// The writing is over. True when another client changed a slice meanwhile.
  synchronized boolean end(ObjectKey service) {
    Round round = rounds.remove(service);
    if (round == null) {
      return false;
    }
    boolean foreign = false;
    for (Version version : round.seen) {
      foreign |= isForeign(service, version.uid(), version.resourceVersion());
    }
    for (String uid : round.seenGone) {
      foreign |= isForeignDeletion(service, uid);
    }
    return foreign;
  }

  /// Whether a slice that was seen in this version was written by another client. False while the
  /// Service's slices are being written: [#end] answers then.
  synchronized boolean isForeign(ObjectKey service, String uid, String resourceVersion) {
    Round round = rounds.get(service);
    if (round != null) {
      round.seen.add(new Version(uid, resourceVersion));
      return false;
    }
    boolean ours = resourceVersion.equals(written.get(uid));
    if (ours) {
      written.remove(uid);
    }
    return !ours && !deleted.getOrDefault(service, Set.of()).contains(uid);
  }

  /// As above, for a slice that is gone.
  synchronized boolean isForeignDeletion(ObjectKey service, String uid) {
    Round round = rounds.get(service);
    if (round != null) {
      round.seenGone.add(uid);
      return false;
    }
    written.remove(uid);
    return !deleted.getOrDefault(service, Set.of()).contains(uid);
  }

  /// Of the slices an informer shows, those that are really there: not the ones we deleted.
  synchronized List<Slice> present(ObjectKey service, List<Slice> shown) {
    Set<String> gone = deleted.get(service);
    if (gone == null) {
      return shown;
    }
    Set<String> uids = new HashSet<>();
    shown.forEach(slice -> uids.add(slice.uid()));
    gone.retainAll(uids);
    if (gone.isEmpty()) {
      deleted.remove(service);
      return shown;
    }
    return shown.stream().filter(slice -> !gone.contains(slice.uid())).toList();
  }

  synchronized void forget(ObjectKey service) {
    deleted.remove(service);
  }
}
