package io.fairlead.proxy.core;

/// Another program that changed rules of ours.
///
/// @param process its name
/// @param pid its number when it did
public record ForeignWriter(String process, int pid) {}
