package io.fairlead.agent.lifecycle;

import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.status.PodStatus;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// Everything around a pod's worker.
public record Surroundings(
    ContainerRuntime runtime,
    PodFiles files,
    Reports reports,
    Errands errands,
    PodStatus statuses,
    InstantSource clock,
    RandomGenerator random,
    Settings settings) {}
