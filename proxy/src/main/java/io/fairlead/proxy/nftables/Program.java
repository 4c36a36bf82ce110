package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.ChangeSet;
import io.fairlead.kernel.nftables.Expression.Connection;
import io.fairlead.kernel.nftables.Expression.Immediate;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Masquerade;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.SetMeta;
import io.fairlead.kernel.nftables.RuleSteps;

/// The steps of rules that only this mode has.
final class Program extends RuleSteps<Program> {
  private static final int STATUS_DNAT = 0x20;

  Program(boolean ipv4) {
    super(ipv4);
  }

  @Override
  protected Program self() {
    return this;
  }

  private Program front(Scope scope) {
    begin();
    if (scope == Scope.ADDRESS) {
      destination();
    }
    return protocolAndPort();
  }

  private Program carried() {
    return meta(Meta.PRIORITY);
  }

  private Program carry(int register) {
    add(new SetMeta(Meta.PRIORITY, register));
    return this;
  }

  /// Carries on with the number a map has for what was loaded.
  private Program carryFrom(Container map) {
    add(Lookup.map(map.setName(), 0, at()));
    return carry(at());
  }

  /// Looks the front up in a map to numbers and carries on with the number.
  Program carryFront(Scope scope, Container map) {
    return front(scope).carryFrom(map);
  }

  /// Replaces the carried slot by the number of the endpoint in it.
  Program carryEndpointOfSlot(Scope scope, Container slots) {
    return front(scope).carried().carryFrom(slots);
  }

  /// Carries a slot chosen at random.
  Program carrySlot(int count, int first) {
    begin();
    add(new Expression.Number(0, count, true, first));
    return carry(0);
  }

  private Program clientAndFront() {
    return begin().source().destination().protocolAndPort();
  }

  /// Carries the number of the endpoint this client had last.
  Program carryKnownEndpoint() {
    return clientAndFront().carryFrom(Container.AFFINITY);
  }

  /// Remembers, refreshes or forgets the carried endpoint for this client.
  Program remember(ChangeSet.Operation operation, long timeoutMillis) {
    clientAndFront().carried();
    add(new ChangeSet(Container.AFFINITY.setName(), operation, 0, at() - 1, timeoutMillis));
    return this;
  }

  /// Ends with the chain of the carried action.
  Program decideByCarried(Container map) {
    begin().carried();
    add(Lookup.decide(map.setName(), 0));
    return this;
  }

  /// Ends with the translation to the endpoint that has the carried number.
  Program translate(Scope scope, Container endpoints) {
    return front(scope).carried().translateBy(endpoints.setName());
  }

  Program destinationIn(Container set) {
    return begin().destination().in(set.setName());
  }

  Program sourceNotAllowed() {
    return clientAndFront().notIn(Container.SOURCES.setName());
  }

  Program callsItself() {
    begin();
    add(new Connection(Connection.STATUS, 0));
    return masked(STATUS_DNAT)
        .compare(false, Bytes.host32(0))
        .source()
        .destination()
        .in(Container.HAIRPIN.setName());
  }

  /// Leaves these bits of register 0.
  private Program masked(int bits) {
    add(new Bitwise(0, 0, Bytes.host32(bits), Bytes.host32(0)));
    return this;
  }

  Program setMark(int bit) {
    return mark(~bit, bit);
  }

  Program flipMark(int bit) {
    return mark(-1, bit);
  }

  private Program mark(int mask, int xor) {
    begin().meta(Meta.MARK);
    add(new Bitwise(0, 0, Bytes.host32(mask), Bytes.host32(xor)));
    add(new SetMeta(Meta.MARK, 0));
    return this;
  }

  Program marked(int bit) {
    return begin().meta(Meta.MARK).masked(bit).compare(false, Bytes.host32(0));
  }

  /// Holds when the packet carries one of our numbers.
  Program carries() {
    return begin().carried().masked(Number.TAG_MASK).compare(true, Bytes.host32(Number.TAG));
  }

  Program carryNothing() {
    begin();
    add(new Immediate(0, Bytes.host32(0)));
    return carry(0);
  }

  Program masquerade() {
    add(new Masquerade(true));
    return this;
  }
}
