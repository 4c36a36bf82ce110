package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Expression.AddressKind;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.ChangeSet;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Connection;
import io.fairlead.kernel.nftables.Expression.Decide;
import io.fairlead.kernel.nftables.Expression.Immediate;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Masquerade;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.Payload;
import io.fairlead.kernel.nftables.Expression.Reject;
import io.fairlead.kernel.nftables.Expression.SetMeta;
import io.fairlead.kernel.nftables.Expression.Translate;
import io.fairlead.kernel.nftables.Family;
import io.fairlead.kernel.nftables.Rule;
import io.fairlead.kernel.nftables.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Puts a rule together from the steps this mode needs. Each step loads its operands anew, from
/// register 0 on: a few nanoseconds that make every step readable alone, also for `nft`.
final class Program {
  private static final int V4_SOURCE = 12;
  private static final int V4_DESTINATION = 16;
  private static final int V6_SOURCE = 8;
  private static final int V6_DESTINATION = 24;
  private static final int DESTINATION_PORT = 2;
  private static final int STATUS_DNAT = 0x20;
  private static final int INTERFACE_NAME_LENGTH = 16;

  private final boolean ipv4;
  private final List<Expression> expressions = new ArrayList<>();
  private int at;

  Program(boolean ipv4) {
    this.ipv4 = ipv4;
  }

  Rule end(String comment) {
    return new Rule(expressions, comment);
  }

  Rule end(String comment, Verdict verdict) {
    expressions.add(new Decide(verdict));
    return new Rule(expressions, comment);
  }

  private int addressRegisters() {
    return ipv4 ? 1 : 4;
  }

  private int addressLength() {
    return ipv4 ? 4 : 16;
  }

  private Program begin() {
    at = 0;
    return this;
  }

  private Program source() {
    expressions.add(
        new Payload(Payload.NETWORK, ipv4 ? V4_SOURCE : V6_SOURCE, addressLength(), at));
    at += addressRegisters();
    return this;
  }

  private Program destination() {
    expressions.add(
        new Payload(Payload.NETWORK, ipv4 ? V4_DESTINATION : V6_DESTINATION, addressLength(), at));
    at += addressRegisters();
    return this;
  }

  private Program protocolAndPort() {
    expressions.add(new Meta(Meta.TRANSPORT_PROTOCOL, at++));
    expressions.add(new Payload(Payload.TRANSPORT, DESTINATION_PORT, 2, at++));
    return this;
  }

  private Program front(Scope scope) {
    if (scope == Scope.ADDRESS) {
      destination();
    }
    return protocolAndPort();
  }

  private Program carried() {
    expressions.add(new Meta(Meta.PRIORITY, at++));
    return this;
  }

  private void carry(int register) {
    expressions.add(new SetMeta(Meta.PRIORITY, register));
  }

  /// Looks the front up in a map to numbers and carries on with the number.
  Program carryFront(Scope scope, Container map) {
    begin().front(scope);
    expressions.add(Lookup.map(map.setName(), 0, at));
    carry(at);
    return this;
  }

  /// Replaces the carried slot by the number of the endpoint in it.
  Program carryEndpointOfSlot(Scope scope, Container slots) {
    begin().front(scope).carried();
    expressions.add(Lookup.map(slots.setName(), 0, at));
    carry(at);
    return this;
  }

  /// Carries a slot chosen at random.
  Program carrySlot(int count, int first) {
    begin();
    expressions.add(new Expression.Number(0, count, true, first));
    carry(0);
    return this;
  }

  /// Carries the number of the endpoint this client had last.
  Program carryKnownEndpoint() {
    begin().source().destination().protocolAndPort();
    expressions.add(Lookup.map(Container.AFFINITY.setName(), 0, at));
    carry(at);
    return this;
  }

  /// Remembers, refreshes or forgets the carried endpoint for this client.
  Program remember(ChangeSet.Operation operation, long timeoutMillis) {
    begin().source().destination().protocolAndPort().carried();
    expressions.add(
        new ChangeSet(Container.AFFINITY.setName(), operation, 0, at - 1, timeoutMillis));
    return this;
  }

  /// Ends with the chain of the carried action.
  Program decideByCarried(Container map) {
    begin().carried();
    expressions.add(Lookup.decide(map.setName(), 0));
    return this;
  }

  /// Ends with the translation to the endpoint that has the carried number.
  Program translate(Scope scope, Container endpoints) {
    begin().front(scope).carried();
    expressions.add(Lookup.map(endpoints.setName(), 0, at));
    expressions.add(
        new Translate(true, ipv4 ? Family.IP : Family.IP6, at, at + addressRegisters()));
    return this;
  }

  Program destinationIn(Container set) {
    begin().destination();
    expressions.add(Lookup.in(set.setName(), 0));
    return this;
  }

  Program sourceNotAllowed() {
    begin().source().destination().protocolAndPort();
    expressions.add(Lookup.notIn(Container.SOURCES.setName(), 0));
    return this;
  }

  Program callsItself() {
    begin();
    expressions.add(new Connection(Connection.STATUS, 0));
    expressions.add(new Bitwise(0, 0, Bytes.host32(STATUS_DNAT), Bytes.host32(0)));
    expressions.add(new Compare(0, Compare.Operation.NOT_EQUAL, Bytes.host32(0)));
    source().destination();
    expressions.add(Lookup.in(Container.HAIRPIN.setName(), 0));
    return this;
  }

  /// Holds when the source (or destination) is inside a range, or outside.
  Program address(boolean source, Bytes network, int prefixLength, boolean inside) {
    begin();
    if (source) {
      source();
    } else {
      destination();
    }
    int length = addressLength();
    byte[] mask = new byte[length];
    for (int bit = 0; bit < prefixLength; bit++) {
      mask[bit / 8] |= (byte) (0x80 >> (bit % 8));
    }
    if (prefixLength < length * 8) {
      expressions.add(new Bitwise(0, 0, Bytes.wrap(mask), Bytes.wrap(new byte[length])));
    }
    expressions.add(compare(inside, network));
    return this;
  }

  /// Holds when it came in through an interface of that name, or one whose name begins so.
  Program inputInterface(String name, boolean prefix, boolean matches) {
    begin();
    expressions.add(new Meta(Meta.INPUT_INTERFACE_NAME, 0));
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    expressions.add(
        compare(matches, Bytes.wrap(prefix ? bytes : Arrays.copyOf(bytes, INTERFACE_NAME_LENGTH))));
    return this;
  }

  private static Compare compare(boolean equal, Bytes with) {
    return new Compare(0, equal ? Compare.Operation.EQUAL : Compare.Operation.NOT_EQUAL, with);
  }

  /// Holds when the source (or destination) is an address of this machine.
  Program isThisMachine(boolean source) {
    begin();
    expressions.add(new AddressKind(source, 0));
    expressions.add(compare(true, Bytes.host32(AddressKind.LOCAL)));
    return this;
  }

  /// Holds when the destination is no address of this machine.
  Program isElsewhere() {
    begin();
    expressions.add(new AddressKind(false, 0));
    expressions.add(compare(false, Bytes.host32(AddressKind.LOCAL)));
    return this;
  }

  Program setMark(int bit) {
    return mark(~bit, bit);
  }

  Program flipMark(int bit) {
    return mark(-1, bit);
  }

  private Program mark(int mask, int xor) {
    begin();
    expressions.add(new Meta(Meta.MARK, 0));
    expressions.add(new Bitwise(0, 0, Bytes.host32(mask), Bytes.host32(xor)));
    expressions.add(new SetMeta(Meta.MARK, 0));
    return this;
  }

  Program marked(int bit) {
    begin();
    expressions.add(new Meta(Meta.MARK, 0));
    expressions.add(new Bitwise(0, 0, Bytes.host32(bit), Bytes.host32(0)));
    expressions.add(compare(false, Bytes.host32(0)));
    return this;
  }

  /// Holds when the packet carries one of our numbers.
  Program carries() {
    begin();
    expressions.add(new Meta(Meta.PRIORITY, 0));
    expressions.add(new Bitwise(0, 0, Bytes.host32(Number.TAG_MASK), Bytes.host32(0)));
    expressions.add(compare(true, Bytes.host32(Number.TAG)));
    return this;
  }

  Program carryNothing() {
    begin();
    expressions.add(new Immediate(0, Bytes.host32(0)));
    carry(0);
    return this;
  }

  Program masquerade() {
    expressions.add(new Masquerade(true));
    return this;
  }

  Program reject() {
    expressions.add(new Reject(ipv4 ? Reject.PORT_UNREACHABLE_V4 : Reject.PORT_UNREACHABLE_V6));
    return this;
  }
}
