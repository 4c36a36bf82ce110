package io.fairlead.proxy.userspace.rules;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Expression.AddressKind;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Decide;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.Payload;
import io.fairlead.kernel.nftables.Expression.Reject;
import io.fairlead.kernel.nftables.Expression.Translate;
import io.fairlead.kernel.nftables.Family;
import io.fairlead.kernel.nftables.Rule;
import io.fairlead.kernel.nftables.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Puts a rule together. Each step loads what it needs from register 0 on.
final class Steps {
  private static final int V4_SOURCE = 12;
  private static final int V4_DESTINATION = 16;
  private static final int V6_SOURCE = 8;
  private static final int V6_DESTINATION = 24;
  private static final int DESTINATION_PORT = 2;
  private static final int INTERFACE_NAME_LENGTH = 16;

  private final boolean ipv4;
  private final List<Expression> expressions = new ArrayList<>();
  private int at;

  Steps(boolean ipv4) {
    this.ipv4 = ipv4;
  }

  Rule end(String comment) {
    return new Rule(expressions, comment);
  }

  Rule end(String comment, Verdict verdict) {
    expressions.add(new Decide(verdict));
    return end(comment);
  }

  private int addressRegisters() {
    return ipv4 ? 1 : 4;
  }

  private void load(boolean source) {
    int offset = source ? (ipv4 ? V4_SOURCE : V6_SOURCE) : (ipv4 ? V4_DESTINATION : V6_DESTINATION);
    expressions.add(new Payload(Payload.NETWORK, offset, ipv4 ? 4 : 16, at));
    at += addressRegisters();
  }

  private void destination(boolean nodePort) {
    if (!nodePort) {
      load(false);
    }
    expressions.add(new Meta(Meta.TRANSPORT_PROTOCOL, at++));
    expressions.add(new Payload(Payload.TRANSPORT, DESTINATION_PORT, 2, at++));
  }

  /// Holds when the packet's destination is in a set.
  Steps destinationIn(Container set, boolean nodePort) {
    at = 0;
    destination(nodePort);
    expressions.add(Lookup.in(set.setName(), 0));
    return this;
  }

  Steps addressIn(Container set) {
    at = 0;
    load(false);
    expressions.add(Lookup.in(set.setName(), 0));
    return this;
  }

  Steps sourceNotAllowed() {
    at = 0;
    load(true);
    destination(false);
    expressions.add(Lookup.notIn(Container.SOURCES.setName(), 0));
    return this;
  }

  /// Ends with the translation to the listener a map has for the destination, if it has one.
  Steps toListener(Container map, boolean nodePort) {
    at = 0;
    destination(nodePort);
    expressions.add(Lookup.map(map.setName(), 0, at));
    expressions.add(
        new Translate(true, ipv4 ? Family.IP : Family.IP6, at, at + addressRegisters()));
    return this;
  }

  /// Holds when the source (or destination) is inside a range, or outside.
  Steps address(boolean source, Bytes network, int prefixLength, boolean inside) {
    at = 0;
    load(source);
    int length = ipv4 ? 4 : 16;
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
  Steps inputInterface(String name, boolean prefix) {
    expressions.add(new Meta(Meta.INPUT_INTERFACE_NAME, 0));
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    expressions.add(
        compare(true, Bytes.wrap(prefix ? bytes : Arrays.copyOf(bytes, INTERFACE_NAME_LENGTH))));
    return this;
  }

  private static Compare compare(boolean equal, Bytes with) {
    return new Compare(0, equal ? Compare.Operation.EQUAL : Compare.Operation.NOT_EQUAL, with);
  }

  /// Holds when the source (or destination) is an address of this machine.
  Steps isThisMachine(boolean source) {
    expressions.add(new AddressKind(source, 0));
    expressions.add(compare(true, Bytes.host32(AddressKind.LOCAL)));
    return this;
  }

  /// Holds when the destination is no address of this machine.
  Steps isElsewhere() {
    expressions.add(new AddressKind(false, 0));
    expressions.add(compare(false, Bytes.host32(AddressKind.LOCAL)));
    return this;
  }

  Steps reject() {
    expressions.add(new Reject(ipv4 ? Reject.PORT_UNREACHABLE_V4 : Reject.PORT_UNREACHABLE_V6));
    return this;
  }
}
