package io.fairlead.agent.log;

import java.time.Instant;
import java.util.Optional;

/// What of a log is wanted.
///
/// @param follow go on until nothing more can come
/// @param timestamps each line begins with its moment
/// @param tail only so many lines from the end
/// @param since only lines from that moment on
/// @param limit only so many bytes
public record LogOptions(
    boolean follow,
    boolean timestamps,
    Optional<Integer> tail,
    Optional<Instant> since,
    Optional<Long> limit) {
  /// Everything there is now.
  public static final LogOptions ALL =
      new LogOptions(false, false, Optional.empty(), Optional.empty(), Optional.empty());
}
