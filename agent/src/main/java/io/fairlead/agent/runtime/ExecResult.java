package io.fairlead.agent.runtime;

/// How a program run inside a container ended.
///
/// @param output what it printed, to both streams
/// @param timedOut it was ended because it took too long
public record ExecResult(int exitCode, String output, boolean timedOut) {}
