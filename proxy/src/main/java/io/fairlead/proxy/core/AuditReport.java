package io.fairlead.proxy.core;

import java.util.List;
import java.util.Map;

/// What the kernel has for some service ports, held against what it should have.
///
/// @param present whether the mode has written anything to this kernel at all
/// @param missing what should be there and is not, as the mode's listing shows it
/// @param extra what is there for these service ports and should not be
/// @param traffic what they have carried
public record AuditReport(
    boolean present,
    List<String> missing,
    List<String> extra,
    Map<ServicePortName, DataPlaneSnapshot.Traffic> traffic) {

  public AuditReport {
    missing = List.copyOf(missing);
    extra = List.copyOf(extra);
    traffic = Map.copyOf(traffic);
  }

  /// The mode is not in use here.
  public static AuditReport absent() {
    return new AuditReport(false, List.of(), List.of(), Map.of());
  }

  public boolean agrees() {
    return present && missing.isEmpty() && extra.isEmpty();
  }

  /// New connections of all of them together.
  public long connections() {
    return traffic.values().stream().mapToLong(DataPlaneSnapshot.Traffic::packets).sum();
  }
}
