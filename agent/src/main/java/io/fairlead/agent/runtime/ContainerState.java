package io.fairlead.agent.runtime;

/// How far a container is.
public enum ContainerState {
  CREATED,
  RUNNING,
  EXITED
}
