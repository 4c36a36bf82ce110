package io.fairlead.proxy.userspace.rules;

import io.fairlead.kernel.nftables.RuleSteps;

/// The steps of rules that only this mode has.
final class Steps extends RuleSteps<Steps> {
  Steps(boolean ipv4) {
    super(ipv4);
  }

  @Override
  protected Steps self() {
    return this;
  }

  private Steps front(boolean nodePort) {
    begin();
    if (!nodePort) {
      destination();
    }
    return protocolAndPort();
  }

  /// Holds when the packet's destination is in a set.
  Steps destinationIn(Container set, boolean nodePort) {
    return front(nodePort).in(set.setName());
  }

  Steps addressIn(Container set) {
    return begin().destination().in(set.setName());
  }

  Steps sourceNotAllowed() {
    return begin().source().destination().protocolAndPort().notIn(Container.SOURCES.setName());
  }

  /// Ends with the translation to the listener a map has for the destination, if it has one.
  Steps toListener(Container map, boolean nodePort) {
    return front(nodePort).translateBy(map.setName());
  }
}
