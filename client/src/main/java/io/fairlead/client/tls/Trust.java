package io.fairlead.client.tls;

import java.security.cert.X509Certificate;
import java.util.List;

/// Which servers a client trusts.
public sealed interface Trust {
  /// Servers whose certificate the machine's own roots vouch for.
  record SystemRoots() implements Trust {}

  /// Servers whose certificate leads to one of these.
  record Certificates(List<X509Certificate> roots) implements Trust {
    public Certificates {
      roots = List.copyOf(roots);
    }
  }

  /// Any server at all: `insecure-skip-tls-verify`.
  record Anyone() implements Trust {}
}
