package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.ChangeSet;
import io.fairlead.kernel.nftables.Expression.Connection;
import io.fairlead.kernel.nftables.Expression.Immediate;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Masquerade;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.SetMeta;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftRuleBuilder;

/// The steps of rules that only this mode has.
final class RuleBuilder extends NftRuleBuilder<RuleBuilder> {
  private static final int STATUS_DNAT = 0x20;

  RuleBuilder(boolean ipv4) {
    super(ipv4);
  }

  @Override
  protected RuleBuilder self() {
    return this;
  }

  private RuleBuilder front(FrontendScope scope) {
    begin();
    if (scope == FrontendScope.ADDRESS) {
      destination();
    }
    return protocolAndPort();
  }

  private RuleBuilder carried() {
    return meta(Meta.PRIORITY);
  }

  private RuleBuilder carry(int register) {
    add(new SetMeta(Meta.PRIORITY, register));
    return this;
  }

  /// Carries on with the number a map has for what was loaded.
  private RuleBuilder carryFrom(ProxySet map) {
    add(Lookup.map(map.setName(), 0, at()));
    return carry(at());
  }

  /// Looks the front up in a map to numbers and carries on with the number.
  RuleBuilder carryFront(FrontendScope scope, ProxySet map) {
    return front(scope).carryFrom(map);
  }

  /// Replaces the carried slot by the number of the endpoint in it.
  RuleBuilder carryEndpointOfSlot(FrontendScope scope, ProxySet slots) {
    return front(scope).carried().carryFrom(slots);
  }

  /// Carries a slot chosen at random.
  RuleBuilder carrySlot(int count, int first) {
    begin();
    add(new Expression.NumberGenerator(0, count, true, first));
    return carry(0);
  }

  private RuleBuilder clientAndFront() {
    return begin().source().destination().protocolAndPort();
  }

  /// Carries the number of the endpoint this client had last.
  RuleBuilder carryKnownEndpoint() {
    return clientAndFront().carryFrom(ProxySet.AFFINITY);
  }

  /// Remembers, refreshes or forgets the carried endpoint for this client.
  RuleBuilder remember(ChangeSet.Operation operation, long timeoutMillis) {
    clientAndFront().carried();
    add(new ChangeSet(ProxySet.AFFINITY.setName(), operation, 0, at() - 1, timeoutMillis));
    return this;
  }

  /// Ends with the chain of the carried action.
  RuleBuilder decideByCarried(ProxySet map) {
    begin().carried();
    add(Lookup.decide(map.setName(), 0));
    return this;
  }

  /// Ends with the translation to the endpoint that has the carried number.
  RuleBuilder translate(FrontendScope scope, ProxySet endpoints) {
    return front(scope).carried().translateBy(endpoints.setName());
  }

  RuleBuilder destinationIn(ProxySet set) {
    return begin().destination().in(set.setName());
  }

  RuleBuilder sourceNotAllowed() {
    return clientAndFront().notIn(ProxySet.SOURCES.setName());
  }

  RuleBuilder callsItself() {
    begin();
    add(new Connection(Connection.STATUS, 0));
    return masked(STATUS_DNAT)
        .compare(false, NftData.host32(0))
        .source()
        .destination()
        .in(ProxySet.HAIRPIN.setName());
  }

  /// Leaves these bits of register 0.
  private RuleBuilder masked(int bits) {
    add(new Bitwise(0, 0, NftData.host32(bits), NftData.host32(0)));
    return this;
  }

  RuleBuilder setMark(int bit) {
    return mark(~bit, bit);
  }

  RuleBuilder flipMark(int bit) {
    return mark(-1, bit);
  }

  private RuleBuilder mark(int mask, int xor) {
    begin().meta(Meta.MARK);
    add(new Bitwise(0, 0, NftData.host32(mask), NftData.host32(xor)));
    add(new SetMeta(Meta.MARK, 0));
    return this;
  }

  RuleBuilder marked(int bit) {
    return begin().meta(Meta.MARK).masked(bit).compare(false, NftData.host32(0));
  }

  /// Holds when the packet carries one of our numbers.
  RuleBuilder carries() {
    return begin()
        .carried()
        .masked(PacketTag.TAG_MASK)
        .compare(true, NftData.host32(PacketTag.TAG));
  }

  RuleBuilder carryNothing() {
    begin();
    add(new Immediate(0, NftData.host32(0)));
    return carry(0);
  }

  RuleBuilder masquerade() {
    add(new Masquerade(true));
    return this;
  }
}
