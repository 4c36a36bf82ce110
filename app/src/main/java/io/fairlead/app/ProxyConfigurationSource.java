package io.fairlead.app;

import io.fairlead.proxy.config.ProxyConfiguration;
import java.util.function.Supplier;

/// What the flags of `up` say about its proxy. Made into a configuration when the proxy starts: the
/// API need not wait for it.
@FunctionalInterface
public interface ProxyConfigurationSource extends Supplier<ProxyConfiguration> {
  /// The same over a configuration that the cluster keeps: what flags say, and what this machine
  /// decides, wins.
  default ProxyConfiguration over(ProxyConfiguration kept) {
    return kept;
  }

  /// Whether a flag names the mode.
  default boolean namesMode() {
    return false;
  }
}
