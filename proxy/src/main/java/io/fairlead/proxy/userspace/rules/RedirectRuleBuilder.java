package io.fairlead.proxy.userspace.rules;

import io.fairlead.kernel.nftables.NftRuleBuilder;

/// The steps of rules that only this mode has.
final class RedirectRuleBuilder extends NftRuleBuilder<RedirectRuleBuilder> {
  RedirectRuleBuilder(boolean ipv4) {
    super(ipv4);
  }

  @Override
  protected RedirectRuleBuilder self() {
    return this;
  }

  private RedirectRuleBuilder front(boolean nodePort) {
    begin();
    if (!nodePort) {
      destination();
    }
    return protocolAndPort();
  }

  /// Holds when the packet's destination is in a set.
  RedirectRuleBuilder destinationIn(RedirectSet set, boolean nodePort) {
    return front(nodePort).in(set.setName());
  }

  RedirectRuleBuilder addressIn(RedirectSet set) {
    return begin().destination().in(set.setName());
  }

  RedirectRuleBuilder sourceNotAllowed() {
    return begin().source().destination().protocolAndPort().notIn(RedirectSet.SOURCES.setName());
  }

  /// Ends with the translation to the listener a map has for the destination, if it has one.
  RedirectRuleBuilder toListener(RedirectSet map, boolean nodePort) {
    return front(nodePort).translateBy(map.setName());
  }
}
