package io.fairlead.insight.progress;

import io.fairlead.insight.evidence.Source;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// How far the rules of one node are.
///
/// @param millis after how long it was seen to be there; empty while it is not
/// @param services the newest version of a Service in its rules; empty when that is not known
/// @param slices the same of slices, by address type
/// @param source `kernel` when the node itself says so, `api` when its Lease does
/// @param lastHeard when its proxy last said that it lives
public record NodeProgress(
    String node,
    Optional<Long> millis,
    String services,
    Map<String, String> slices,
    Source source,
    Optional<Instant> lastHeard) {
  public NodeProgress {
    slices = Collections.unmodifiableMap(new TreeMap<>(slices));
  }

  public boolean isDone() {
    return millis.isPresent();
  }
}
