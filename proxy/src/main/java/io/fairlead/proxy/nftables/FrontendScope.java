package io.fairlead.proxy.nftables;

/// By what a front is found: by an address of its own, or by the port alone on any address of the
/// node.
enum FrontendScope {
  ADDRESS(""),
  NODE_PORT("-nodeport");

  private final String suffix;

  FrontendScope(String suffix) {
    this.suffix = suffix;
  }

  /// What names of chains end with.
  String suffix() {
    return suffix;
  }
}
