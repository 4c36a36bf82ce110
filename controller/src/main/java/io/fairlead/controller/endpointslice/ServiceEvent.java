package io.fairlead.controller.endpointslice;

/// Something to tell about a Service in an event.
record ServiceEvent(boolean warning, String reason, String message) {
  private static final String DISABLED = "TopologyAwareHintsDisabled";

  static ServiceEvent hintsDisabled(String why, String addressType) {
    return new ServiceEvent(true, DISABLED, why + ", addressType: " + addressType);
  }

  static ServiceEvent hintsEnabled(String addressType) {
    return new ServiceEvent(
        false,
        "TopologyAwareHintsEnabled",
        "Topology Aware Hints has been enabled, addressType: " + addressType);
  }
}
