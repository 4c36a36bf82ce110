package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The slices of each Service in the order of their names. Guarded by the lock of its owner.
final class SlicesByService {
  private final Map<ObjectKey, List<SliceFacts>> slices = new HashMap<>();

  List<SliceFacts> of(ObjectKey service) {
    return slices.getOrDefault(service, List.of());
  }

  void add(SliceFacts slice) {
    List<SliceFacts> all = new ArrayList<>(of(slice.service()));
    all.add(slice);
    all.sort(Comparator.comparing(each -> each.key().name()));
    slices.put(slice.service(), List.copyOf(all));
  }

  void remove(SliceFacts slice) {
    List<SliceFacts> left =
        of(slice.service()).stream().filter(each -> !each.key().equals(slice.key())).toList();
    if (left.isEmpty()) {
      slices.remove(slice.service());
    } else {
      slices.put(slice.service(), left);
    }
  }
}
