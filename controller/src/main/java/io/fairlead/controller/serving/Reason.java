package io.fairlead.controller.serving;

import io.fairlead.api.net.IpAddress.Family;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Why a pod is no ready endpoint of a Service, with the fact behind it. Data, not text: who shows
/// it words it.
public sealed interface Reason {
  /// It ran and will not run again.
  record Finished(String phase) implements Reason {}

  /// It has no address yet.
  record NoAddress(String phase) implements Reason {}

  /// It has addresses, but none of a family the Service has.
  record OtherFamily(List<Family> wanted, List<PodAddress> has) implements Reason {}

  /// It is bound to no node, or to one that does not exist.
  ///
  /// @param node empty when it is bound to none
  record NoNode(String node) implements Reason {}

  /// Its node has stopped reporting, so nobody knows how it is.
  record NodeLost(String node, Optional<Instant> since) implements Reason {}

  /// It is being deleted. It may still answer.
  record Terminating(String since, boolean serving) implements Reason {}

  /// It is not ready, and these things hold it up.
  record NotReady(Optional<Instant> since, List<Holdup> holdups) implements Reason {}

  /// These ports of the Service go by a name that the pod does not declare for their protocol. When
  /// they are not all of its ports, the pod serves the others.
  record PortUnknown(List<ServicePort> ports, boolean all) implements Reason {}

  /// The selector would pick it but for one label.
  ///
  /// @param has what the pod has under that key
  record NearlySelected(String key, String wanted, Optional<String> has) implements Reason {}

  /// The reason as one word for programs: `NotReady`, `PortUnknown`…
  default String code() {
    return getClass().getSimpleName();
  }
}
