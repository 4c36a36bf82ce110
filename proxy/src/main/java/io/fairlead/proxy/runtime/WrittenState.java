package io.fairlead.proxy.runtime;

import io.fairlead.proxy.core.Plan;
import java.time.Duration;
import java.time.Instant;

/// What the rules of one family follow, and how the last attempt to write them went.
///
/// @param services the newest version of a Service that the rules show; empty before the first one
/// @param slices the same of an EndpointSlice
/// @param at when rules were last written; the epoch before the first time
/// @param failure why the last attempt failed; empty when it worked
public record WrittenState(
    Plan plan,
    String services,
    String slices,
    Instant at,
    Duration took,
    int writes,
    String failure) {}
