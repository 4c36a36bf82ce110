package io.fairlead.work;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How all loops of one kind are doing: the numbers behind the metrics `fairlead_loop_*` and the
/// health check `loops`.
///
/// @param kind what the loops do, such as `proxy-sync`
/// @param running how many are started and not closed
/// @param steps how many steps ended without a failure, since the process started
/// @param restarts how many steps failed and were tried again, since the process started
/// @param lastFailure the text of the newest failure; null when there was none
/// @param lastFailureAt when that was
/// @param failingSince since when a loop of this kind has failed without one good step; null when
///   none does
public record LoopStatus(
    String kind,
    int running,
    long steps,
    long restarts,
    @Nullable String lastFailure,
    @Nullable Instant lastFailureAt,
    @Nullable Instant failingSince) {}
