package io.fairlead.proxy.core;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// How a node carries traffic to Services: one data plane for each. A configuration may leave the
/// choice to the proxy (`auto`); a running proxy is always in one of these.
public enum ProxyMode {
  IPVS,
  IPTABLES,
  NFTABLES,
  USERSPACE;

  private final String word = name().toLowerCase(Locale.ROOT);

  /// The mode with that name, as configurations and commands write it; empty when there is none.
  public static Optional<ProxyMode> find(String word) {
    return Arrays.stream(values()).filter(mode -> mode.word.equals(word)).findFirst();
  }

  /// The same for a name that must be one.
  ///
  /// @throws DataPlaneException when it is none
  public static ProxyMode of(String word) {
    return find(word)
        .orElseThrow(
            () ->
                new DataPlaneException("there is no mode \"" + word + "\"; there are " + words()));
  }

  private static String words() {
    return Arrays.stream(values()).map(ProxyMode::toString).collect(Collectors.joining(", "));
  }

  /// Its name, which is also that of its section of the configuration.
  @Override
  public String toString() {
    return word;
  }
}
