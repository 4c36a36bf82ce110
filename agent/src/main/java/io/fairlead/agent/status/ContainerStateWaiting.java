package io.fairlead.agent.status;

/// Why a container does not run.
///
/// @param reason one word for programs, such as `CrashLoopBackOff`
public record ContainerStateWaiting(String reason, String message) {}
