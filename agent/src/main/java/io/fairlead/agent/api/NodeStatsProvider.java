package io.fairlead.agent.api;

import tools.jackson.databind.node.ObjectNode;

/// Numbers about a node and its pods, for those who collect them. Safe for many threads.
public interface NodeStatsProvider {
  /// About the agent itself, in the text format of Prometheus.
  String metrics();

  /// What the node, its pods and containers use, likewise.
  String resources();

  /// Answers to probes, counted, likewise.
  String probes();

  /// What the node and its pods use, as one document.
  ObjectNode summary();

  /// How the agent is set up.
  ObjectNode configuration();
}
