package io.fairlead.controller.endpointslice;

/// Something to tell about a Service in an event.
record Notice(boolean warning, String reason, String message) {
  private static final String DISABLED = "TopologyAwareHintsDisabled";

  static Notice hintsDisabled(String why, String addressType) {
    return new Notice(true, DISABLED, why + ", addressType: " + addressType);
  }

  static Notice hintsEnabled(String addressType) {
    return new Notice(
        false,
        "TopologyAwareHintsEnabled",
        "Topology Aware Hints has been enabled, addressType: " + addressType);
  }
}
