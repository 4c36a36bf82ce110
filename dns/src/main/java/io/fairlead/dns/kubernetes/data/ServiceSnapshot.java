package io.fairlead.dns.kubernetes.data;

import java.util.List;

/// A Service with its slices as they were at one moment, for a zone transfer.
public record ServiceSnapshot(CompiledService compiled, List<SliceFacts> slices) {
  public ServiceSnapshot {
    slices = List.copyOf(slices);
  }
}
