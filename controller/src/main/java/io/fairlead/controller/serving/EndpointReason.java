package io.fairlead.controller.serving;

import io.fairlead.api.net.IpAddress.Family;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Why a pod is no ready endpoint of a Service, with the fact behind it. Data, not text: who shows
/// it words it.
public sealed interface EndpointReason {
  /// It ran and will not run again.
  record Finished(String phase) implements EndpointReason {}

  /// It has no address yet.
  record NoAddress(String phase) implements EndpointReason {}

  /// It has addresses, but none of a family the Service has.
  record OtherFamily(List<Family> wanted, List<PodAddress> has) implements EndpointReason {}

  /// It is bound to no node, or to one that does not exist.
  ///
  /// @param node empty when it is bound to none
  record NoNode(String node) implements EndpointReason {}

  /// Its node has stopped reporting, so its state is unknown.
  record NodeLost(String node, Optional<Instant> since) implements EndpointReason {}

  /// It is being deleted. It may still answer.
  record Terminating(String since, boolean serving) implements EndpointReason {}

  /// It is not ready, and these things hold it up.
  record NotReady(Optional<Instant> since, List<NotReadyCause> holdups) implements EndpointReason {}

  /// These ports of the Service go by a name that the pod does not declare for their protocol. When
  /// they are not all of its ports, the pod serves the others.
  record PortUnknown(List<ServicePortSpec> ports, boolean all) implements EndpointReason {}

  /// The selector would pick it but for one label.
  ///
  /// @param has what the pod has under that key
  record NearlySelected(String key, String wanted, Optional<String> has)
      implements EndpointReason {}

  /// The reason as one word for programs: `NotReady`, `PortUnknown`…
  default String code() {
    return getClass().getSimpleName();
  }
}
