package io.fairlead.controller.endpointslice;

import io.fairlead.controller.serving.Service;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Puts the endpoints of one family and one set of ports into slices, with as few writes as
/// possible.
///
/// How it works: what is in a slice and still wanted stays there. What is new goes first into
/// slices that must be written anyway, then all of it into the one untouched slice that it fills
/// best; only what fits in none gets new slices. Slices are never written just to even them out, so
/// a change of one endpoint is one write however many slices there are; the price is that they may
/// stay half empty for long.
final class Packing {
  final List<SliceDraft> creates = new ArrayList<>();
  final List<SliceDraft> updates = new ArrayList<>();
  final List<Slice> deletes = new ArrayList<>();
  final List<Slice> unchanged = new ArrayList<>();

  private final Service service;
  private final String addressType;
  private final int most;

  /// @param most endpoints a slice may hold
  Packing(Service service, String addressType, int most) {
    this.service = service;
    this.addressType = addressType;
    this.most = most;
  }

  /// Packs one set of ports; may be called for one after the other.
  ///
  /// @param existing the Service's own slices with these ports
  void pack(List<SlicePort> ports, List<Slice> existing, List<SliceEndpoint> wanted) {
    Map<SliceEndpoint.Identity, SliceEndpoint> missing = new LinkedHashMap<>(wanted.size() * 2);
    wanted.forEach(endpoint -> missing.put(endpoint.identity(), endpoint));
    List<SliceDraft> changing = new ArrayList<>();
    List<Slice> untouched = new ArrayList<>();
    for (Slice slice : existing) {
      keepWhatIsWanted(slice, missing, changing, untouched);
    }
    Deque<SliceEndpoint> rest = new ArrayDeque<>(missing.values());
    changing.sort(Comparator.comparingInt(SliceDraft::size).reversed());
    changing.forEach(draft -> fill(draft, rest));
    place(ports, rest, changing, untouched);
    updates.addAll(changing);
    unchanged.addAll(untouched);
  }

  /// What remains of a slice; takes from `missing` what it holds.
  private void keepWhatIsWanted(
      Slice slice,
      Map<SliceEndpoint.Identity, SliceEndpoint> missing,
      List<SliceDraft> changing,
      List<Slice> untouched) {
    List<SliceEndpoint> kept = new ArrayList<>(slice.endpoints().size());
    boolean changed = false;
    for (SliceEndpoint present : slice.endpoints()) {
      SliceEndpoint wanted = missing.remove(present.identity());
      if (wanted == null) {
        changed = true;
      } else if (present.saysTheSame(wanted)) {
        kept.add(present);
      } else {
        kept.add(wanted);
        changed = true;
      }
    }
    if (kept.isEmpty() && !slice.endpoints().isEmpty()) {
      deletes.add(slice);
    } else if (changed || SliceLabels.drifted(slice, service)) {
      changing.add(SliceDraft.changing(slice, kept));
    } else {
      untouched.add(slice);
    }
  }

  /// Finds room for what fits in no slice that is written anyway.
  private void place(
      List<SlicePort> ports,
      Deque<SliceEndpoint> rest,
      List<SliceDraft> changing,
      List<Slice> untouched) {
    while (!rest.isEmpty()) {
      Slice best = rest.size() < most ? bestFit(untouched, rest.size()) : null;
      SliceDraft draft;
      if (best == null) {
        draft = SliceDraft.fresh(addressType, ports);
        creates.add(draft);
      } else {
        untouched.remove(best);
        draft = SliceDraft.changing(best, best.endpoints());
        changing.add(draft);
      }
      fill(draft, rest);
    }
  }

  /// The slice that is fullest after it took all of them; null when they fit in none.
  private @Nullable Slice bestFit(List<Slice> untouched, int count) {
    Slice best = null;
    for (Slice slice : untouched) {
      int size = slice.endpoints().size();
      if (size + count <= most && (best == null || size > best.endpoints().size())) {
        best = slice;
      }
    }
    return best;
  }

  private void fill(SliceDraft draft, Deque<SliceEndpoint> rest) {
    while (draft.size() < most && !rest.isEmpty()) {
      draft.endpoints().add(rest.removeFirst());
    }
  }
}
