package io.fairlead.agent.lifecycle;

import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.status.PodStatusGenerator;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// Everything around a pod's worker.
public record PodWorkerDependencies(
    ContainerRuntime runtime,
    PodFiles files,
    PodReporter reports,
    AsyncTasks tasks,
    PolicyProgress policies,
    PodStatusGenerator statuses,
    InstantSource clock,
    RandomGenerator random,
    PodWorkerSettings settings) {}
