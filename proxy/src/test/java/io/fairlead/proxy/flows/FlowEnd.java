package io.fairlead.proxy.flows;

import io.fairlead.api.net.IpAddress;

/// Where one way through the rules ends.
public sealed interface FlowEnd {
  record Sent(IpAddress to, int port, boolean rewritten, boolean masqueraded) implements FlowEnd {}

  record Rejected() implements FlowEnd {}

  record Dropped() implements FlowEnd {}
}
