package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.LocalDetector;

/// The match for traffic of local pods; empty where that is not possible.
final class LocalTrafficMatch {
  private LocalTrafficMatch() {}

  static String local(LocalDetector detector) {
    return match(" ", detector);
  }

  static String notLocal(LocalDetector detector) {
    return match(" ! ", detector);
  }

  private static String match(String sign, LocalDetector detector) {
    return switch (detector) {
      case LocalDetector.None() -> "";
      case LocalDetector.Source(var cidr) -> sign + "-s " + cidr;
      case LocalDetector.Bridge(String name) -> sign + "-i " + name;
      case LocalDetector.InterfacePrefix(String prefix) -> sign + "-i " + prefix + "+";
    };
  }
}
