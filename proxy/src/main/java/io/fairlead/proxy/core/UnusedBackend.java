package io.fairlead.proxy.core;

/// An endpoint that gets no new connection from this node, and why.
public record UnusedBackend(Backend backend, Reason why) {

  /// The reasons, in the words of the facts behind them.
  public enum Reason {
    /// Its ready condition is false and it is not on its way out.
    NOT_READY,
    /// It is terminating and does not serve any more.
    NOT_SERVING,
    /// It is terminating, and ready endpoints are there to take its place.
    TERMINATING,
    /// Its hints name other zones or nodes.
    HINTED_ELSEWHERE,
    /// The traffic policy is Local and it is on another node.
    NOT_LOCAL,
    /// Its address is loopback, link-local, multicast or unspecified: sending there would reach the
    /// node itself or no host.
    FORBIDDEN_ADDRESS
  }
}
