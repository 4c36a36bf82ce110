package io.fairlead.insight.simulate;

import io.fairlead.client.ObjectKey;
import io.fairlead.proxy.core.ProxyMode;
import tools.jackson.databind.node.ObjectNode;

/// A change that is thought through, not made.
public sealed interface ProposedChange {
  /// An object of a file is applied.
  ///
  /// @param object with its defaults filled in
  record Applied(ObjectNode object) implements ProposedChange {}

  /// A workload gets another number of replicas.
  ///
  /// @param kind `Deployment`, `ReplicaSet` or `StatefulSet`
  record Scaled(String kind, ObjectKey key, int replicas) implements ProposedChange {}

  /// A pod goes, and nothing replaces it yet.
  record Killed(ObjectKey pod) implements ProposedChange {}

  /// A pod is not ready any more.
  record NotReady(ObjectKey pod) implements ProposedChange {}

  /// A pod gets a label.
  ///
  /// @param value empty to take the label away
  record Labelled(ObjectKey pod, String label, String value) implements ProposedChange {}

  /// A node is silent: its pods are not ready and its proxy carries nothing.
  record NodeDown(String node) implements ProposedChange {}

  /// The proxies carry traffic in another mode.
  record ModeChanged(ProxyMode mode) implements ProposedChange {}

  /// What a change needs is not there.
  final class MissingException extends Exception {
    private static final long serialVersionUID = 1;

    MissingException(String what) {
      super(what);
    }
  }
}
