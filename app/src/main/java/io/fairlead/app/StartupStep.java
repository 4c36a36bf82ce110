package io.fairlead.app;

/// The steps of a start, in their order. Their names are messages.
public enum StartupStep {
  PREFLIGHT("up.preflight"),
  STORE_AND_API("up.store"),
  CONTROLLERS("up.controllers"),
  PROXY("up.proxy"),
  LOAD_BALANCER("up.loadbalancer"),
  DNS("up.dns"),
  POLICY("up.policy"),
  AGENT("up.agent");

  private final String message;

  StartupStep(String message) {
    this.message = message;
  }

  /// The key of its name in the message catalogue.
  public String message() {
    return message;
  }
}
