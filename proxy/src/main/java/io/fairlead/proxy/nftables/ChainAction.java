package io.fairlead.proxy.nftables;

import io.fairlead.proxy.core.TrafficVerdict;

/// What a chain does with a connection to a front. Fronts with like needs share a chain: there are
/// as many chains as there are different actions in use, a few dozen, however many Services.
sealed interface ChainAction {

  /// The name of its chain: says everything, so that equal actions have equal names.
  String chain();

  /// Send it to one of `count` endpoints.
  ///
  /// @param local whether from the list of endpoints on this node
  /// @param stickySeconds how long a client stays with its endpoint; 0 for not at all
  /// @param restricted whether only some sources are let in
  record Pick(
      FrontendScope scope,
      boolean local,
      int count,
      TrafficVerdict.Masquerade masquerade,
      int stickySeconds,
      boolean restricted)
      implements ChainAction {
    @Override
    public String chain() {
      return "pick-"
          + count
          + (local ? "-local" : "")
          + (stickySeconds > 0 ? "-sticky-" + stickySeconds : "")
          + switch (masquerade) {
            case ALWAYS -> "-masquerade";
            case NEVER -> "";
            case UNLESS_LOCAL_POD -> "-masquerade-others";
          }
          + scope.suffix()
          + (restricted ? "-restricted" : "");
    }
  }

  /// Refuse it, with an answer or without.
  record Refuse(boolean answer, boolean restricted) implements ChainAction {
    @Override
    public String chain() {
      return (answer ? "refuse-reject" : "refuse-drop") + (restricted ? "-restricted" : "");
    }
  }

  /// Look further by where it comes from: this node and its pods, or elsewhere.
  record Split(FrontendScope scope, boolean restricted) implements ChainAction {
    @Override
    public String chain() {
      return "split" + scope.suffix() + (restricted ? "-restricted" : "");
    }
  }
}
