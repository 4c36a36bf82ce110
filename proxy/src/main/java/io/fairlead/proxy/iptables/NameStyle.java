package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.ServicePortName;

/// How a service port is called inside the hash that names its chains.
public enum NameStyle {
  /// `ns/name` or `ns/name:port`.
  CURRENT,
  /// Before Kubernetes 1.19: the colon stays when the port has no name.
  LEGACY;

  String text(ServicePortName name) {
    return this == LEGACY && name.port().isEmpty() ? name.displayName() + ":" : name.displayName();
  }
}
