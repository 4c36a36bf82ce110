package io.fairlead.app.systempod;

import io.fairlead.proxy.config.ProxyConfiguration;

/// A running proxy, as far as the pod that shows it has to do with it.
public interface ReconfigurableProxy {
  /// What it was started with.
  ProxyConfiguration configuration();

  /// Whether its rules are in the kernel.
  boolean ready();

  /// Goes on in the mode that another configuration names.
  ///
  /// @return the mode, and why it is not the one that was asked for
  /// @throws io.fairlead.proxy.core.DataPlaneException when the mode cannot be had; then nothing
  ///   has changed
  String follow(ProxyConfiguration wanted);
}
