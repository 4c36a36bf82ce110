package io.fairlead.controller.endpointslice;

/// @param maxEndpointsPerSlice 1 to 1000
/// @param workers Services looked at at the same time
public record EndpointSliceOptions(int maxEndpointsPerSlice, Batching batching, int workers) {
  public static final EndpointSliceOptions STANDARD =
      new EndpointSliceOptions(100, Batching.STANDARD, 5);

  /// What an API server takes.
  public static final int SERVER_LIMIT = 1000;

  public EndpointSliceOptions {
    if (maxEndpointsPerSlice < 1 || maxEndpointsPerSlice > SERVER_LIMIT) {
      throw new IllegalArgumentException(
          "a slice holds 1 to " + SERVER_LIMIT + " endpoints, not " + maxEndpointsPerSlice);
    }
    if (workers < 1) {
      throw new IllegalArgumentException("no workers");
    }
  }
}
