package io.fairlead.controller.serving;

import java.util.List;

/// A pod that is no ready endpoint of a Service, or not of all its ports and families.
///
/// @param reasons the weightiest first; never empty
public record ExcludedPod(EndpointPod pod, List<EndpointReason> reasons) {
  public ExcludedPod {
    reasons = List.copyOf(reasons);
  }
}
