package io.fairlead.insight.progress;

import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.client.objects.V1EndpointSlice;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The versions that rules must show before they count as programmed.
///
/// @param services the Service's
/// @param slices the newest of its slices, by address type
public record ProgressGoal(String services, Map<String, String> slices) {
  public ProgressGoal {
    // In order, so that documents do not differ from run to run.
    slices = Collections.unmodifiableMap(new TreeMap<>(slices));
  }

  public static ProgressGoal of(String serviceVersion, List<V1EndpointSlice> slices) {
    Map<String, String> newest = new TreeMap<>();
    for (V1EndpointSlice slice : slices) {
      if (!slice.addressType().equals("FQDN")) {
        newest.merge(slice.addressType(), slice.metadata().resourceVersion(), ProgressGoal::newer);
      }
    }
    return new ProgressGoal(serviceVersion, newest);
  }

  private static String newer(String left, String right) {
    return ResourceVersions.compare(left, right) < 0 ? right : left;
  }

  /// Whether its versions have an order; those of some API servers have none.
  public boolean isOrdered() {
    return isNumber(services) && slices.values().stream().allMatch(ProgressGoal::isNumber);
  }

  private static boolean isNumber(String version) {
    return version.matches("[0-9]+");
  }

  /// The newest version of any slice; empty when there is none.
  public String newestSlice() {
    return slices.values().stream()
        .reduce("", (one, other) -> one.isEmpty() ? other : newer(one, other));
  }

  /// Whether rules that show these versions show what is wanted.
  ///
  /// @param writtenServices empty when that is not known, which only the slices decide then
  /// @param writtenSlices by address type; a type that is not there has no rules on that node
  public boolean isReached(String writtenServices, Map<String, String> writtenSlices) {
    if (!writtenServices.isEmpty() && ResourceVersions.compare(writtenServices, services) < 0) {
      return false;
    }
    return slices.entrySet().stream()
        .allMatch(
            each -> {
              String written = writtenSlices.get(each.getKey());
              return written == null
                  || (!written.isEmpty()
                      && ResourceVersions.compare(written, each.getValue()) >= 0);
            });
  }
}
