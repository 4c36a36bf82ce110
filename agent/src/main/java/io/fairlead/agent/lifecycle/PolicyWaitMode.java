package io.fairlead.agent.lifecycle;

/// Whether new pods wait until the NetworkPolicies that select them are in force.
public enum PolicyWaitMode {
  /// They start at once.
  OFF,
  /// They wait where a policy component has reported for this node, alive or not.
  AUTO,
  /// They wait, also for a policy component that has never reported.
  ON
}
