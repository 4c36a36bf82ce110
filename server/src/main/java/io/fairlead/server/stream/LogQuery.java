package io.fairlead.server.stream;

import java.time.Instant;
import java.util.Optional;

/// What of a container's log is wanted.
///
/// @param follow go on until the container ends
/// @param previous the log of the run before the last
/// @param timestamps each line begins with its moment
/// @param tail only so many lines from the end
/// @param limit only so many bytes
public record LogQuery(
    String container,
    boolean follow,
    boolean previous,
    boolean timestamps,
    Optional<Integer> tail,
    Optional<Instant> since,
    Optional<Long> limit) {}
