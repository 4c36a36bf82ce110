package io.fairlead.policy.nftables;

import io.fairlead.api.net.Cidr;
import io.fairlead.kernel.nftables.Expression.AddLimited;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Connection;
import io.fairlead.kernel.nftables.Expression.Counter;
import io.fairlead.kernel.nftables.Expression.Immediate;
import io.fairlead.kernel.nftables.Expression.Log;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.Payload;
import io.fairlead.kernel.nftables.Expression.Reject;
import io.fairlead.kernel.nftables.Expression.Reset;
import io.fairlead.kernel.nftables.Expression.SetConnection;
import io.fairlead.kernel.nftables.Expression.SetMeta;
import io.fairlead.kernel.nftables.Expression.SourceRoute;
import io.fairlead.kernel.nftables.Expression.ToNetworkOrder;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.NftRuleBuilder;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.policy.core.PolicySet;

/// The steps of the rules of a policy table.
final class PolicyRuleBuilder extends NftRuleBuilder<PolicyRuleBuilder> {
  private static final int ESTABLISHED_OR_RELATED = 2 | 4;
  private static final int LABEL_BYTES = 16;
  private static final int TAG_MASK = 0xff000000;
  private static final byte TCP = 6;
  private static final int PACE_PER_SECOND = 1;
  private static final int PACE_BURST = 5;
  private static final int LOGGED_BYTES = 128;

  private final boolean ipv4;

  PolicyRuleBuilder(boolean ipv4) {
    super(ipv4);
    this.ipv4 = ipv4;
  }

  @Override
  protected PolicyRuleBuilder self() {
    return this;
  }

  NftRule accept() {
    return end("", NftVerdict.ACCEPT);
  }

  NftRule drop() {
    return end("", NftVerdict.DROP);
  }

  NftRule go(String chain) {
    return end("", NftVerdict.go(chain));
  }

  PolicyRuleBuilder known() {
    begin();
    add(new Connection(Connection.STATE, 0));
    add(new Bitwise(0, 0, NftData.host32(ESTABLISHED_OR_RELATED), NftData.host32(0)));
    return compare(false, NftData.host32(0));
  }

  PolicyRuleBuilder fromThisMachine() {
    return isThisMachine(true);
  }

  /// Holds when the source (or destination) is in a range.
  PolicyRuleBuilder within(boolean source, Cidr range) {
    return address(source, NftData.wrap(range.first().toBytes()), range.prefixLength(), true);
  }

  /// Holds when the source is not reached through the interface the packet came in by.
  PolicyRuleBuilder spoofed() {
    add(new SourceRoute(0));
    return compare(true, NftData.host32(0));
  }

  PolicyRuleBuilder counter() {
    add(new Counter(0, 0));
    return this;
  }

  private static NftData label(int bit) {
    byte[] bytes = new byte[LABEL_BYTES];
    bytes[bit / 8] = (byte) (1 << bit % 8);
    return NftData.wrap(bytes);
  }

  PolicyRuleBuilder labelled(int bit) {
    NftData none = NftData.wrap(new byte[LABEL_BYTES]);
    add(new Connection(Connection.LABELS, 0));
    add(new Bitwise(0, 0, label(bit), none));
    return compare(false, none);
  }

  PolicyRuleBuilder setLabel(int bit) {
    add(new Immediate(0, label(bit)));
    add(new SetConnection(Connection.LABELS, 0));
    return this;
  }

  private PolicyRuleBuilder load(boolean source) {
    return source ? source() : destination();
  }

  /// Holds when the source (or destination) is in a set.
  PolicyRuleBuilder addressIn(boolean source, PolicySet set) {
    return begin().load(source).in(set.setName());
  }

  /// Carries the number a map has for the source (or destination).
  PolicyRuleBuilder carry(boolean source, PolicySet map) {
    begin().load(source);
    return carried(map);
  }

  /// Carries the number a map has for the carried number and the source (or destination).
  PolicyRuleBuilder carryPair(boolean source, PolicySet map) {
    begin().meta(Meta.PRIORITY).load(source);
    return carried(map);
  }

  private PolicyRuleBuilder carried(PolicySet map) {
    add(Lookup.map(map.setName(), 0, 0));
    add(new SetMeta(Meta.PRIORITY, 0));
    return this;
  }

  PolicyRuleBuilder carries(int number) {
    begin().meta(Meta.PRIORITY);
    return compare(true, NftData.host32(PolicyTableLayout.TAG | number));
  }

  PolicyRuleBuilder portGranted() {
    return begin().meta(Meta.PRIORITY).protocolAndPort().in(PolicySet.PORTS.setName());
  }

  /// Ranges compare bytes from the left, so the number stands in network order there. Turning the
  /// protocol, one byte, round does nothing; `nft` writes it so.
  PolicyRuleBuilder portInGrantedRange() {
    begin().meta(Meta.PRIORITY);
    add(new ToNetworkOrder(0, 0, 4, 4));
    meta(Meta.TRANSPORT_PROTOCOL);
    add(new ToNetworkOrder(1, 1, 1, 2));
    add(new Payload(Payload.TRANSPORT, 2, 2, 2));
    return in(PolicySet.PORT_RANGES.setName());
  }

  /// Holds for a packet of an isolated pod to itself.
  PolicyRuleBuilder self(PolicySet selves) {
    return begin().source().destination().in(selves.setName());
  }

  PolicyRuleBuilder log(int group, String prefix) {
    begin().source().destination();
    add(new AddLimited(PolicyTableLayout.LOG_PACE, 0, PACE_PER_SECOND, PACE_BURST));
    add(new Log(group, prefix, LOGGED_BYTES));
    return this;
  }

  PolicyRuleBuilder reset() {
    add(new Meta(Meta.TRANSPORT_PROTOCOL, 0));
    add(new Compare(0, Compare.Operation.EQUAL, NftData.of(TCP)));
    add(new Reset());
    return this;
  }

  PolicyRuleBuilder prohibited() {
    add(new Reject(ipv4 ? Reject.PROHIBITED_V4 : Reject.PROHIBITED_V6));
    return this;
  }

  /// Holds for a packet with one of our numbers, and takes the number away.
  PolicyRuleBuilder carryNothing() {
    begin().meta(Meta.PRIORITY);
    add(new Bitwise(0, 0, NftData.host32(TAG_MASK), NftData.host32(0)));
    compare(true, NftData.host32(PolicyTableLayout.TAG));
    add(new Immediate(0, NftData.host32(0)));
    add(new SetMeta(Meta.PRIORITY, 0));
    return this;
  }
}
