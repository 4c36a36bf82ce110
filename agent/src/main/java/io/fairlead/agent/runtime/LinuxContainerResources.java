package io.fairlead.agent.runtime;

/// What a container may use and is given first. Zero for what is not said.
///
/// @param cpuRequest in thousandths of a core
/// @param cpuLimit in thousandths of a core
/// @param memoryRequest in bytes
/// @param memoryLimit in bytes
/// @param outOfMemoryScore how readily the kernel ends it when memory is short, -1000 to 1000
public record LinuxContainerResources(
    long cpuRequest, long cpuLimit, long memoryRequest, long memoryLimit, int outOfMemoryScore) {
  public static final LinuxContainerResources NONE = new LinuxContainerResources(0, 0, 0, 0, 0);
}
