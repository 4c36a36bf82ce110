package io.fairlead.agent.runtime;

import java.time.Duration;

/// What a container has used.
///
/// @param cpu processor time since it began
/// @param memory bytes it needs now, without what the kernel could take back
public record ContainerUsage(Duration cpu, long memory) {}
