package io.fairlead.proxy.flows;

import io.fairlead.api.net.IpAddress;

/// Where one way through the rules ends.
public sealed interface End {
  record Sent(IpAddress to, int port, boolean rewritten, boolean masqueraded) implements End {}

  record Rejected() implements End {}

  record Dropped() implements End {}
}
