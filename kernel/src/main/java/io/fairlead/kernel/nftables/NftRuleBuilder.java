package io.fairlead.kernel.nftables;

import io.fairlead.kernel.nftables.Expression.AddressKind;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Decide;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.Payload;
import io.fairlead.kernel.nftables.Expression.Reject;
import io.fairlead.kernel.nftables.Expression.Translate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Puts a rule together from steps. Each step loads its operands again, from register 0 on: a few
/// nanoseconds that make every step readable alone, also for `nft`. Who needs further steps extends
/// it.
///
/// @param <S> the extension, which every step returns
public abstract class NftRuleBuilder<S extends NftRuleBuilder<S>> {
  // Offsets in the headers of IPv4 (RFC 791), IPv6 (RFC 8200), TCP and UDP.
  private static final int V4_SOURCE = 12;
  private static final int V4_DESTINATION = 16;
  private static final int V6_SOURCE = 8;
  private static final int V6_DESTINATION = 24;
  private static final int DESTINATION_PORT = 2;
  private static final int INTERFACE_NAME_LENGTH = 16;

  private final boolean ipv4;
  private final List<Expression> expressions = new ArrayList<>();
  private int at;

  protected NftRuleBuilder(boolean ipv4) {
    this.ipv4 = ipv4;
  }

  /// This, as what extends it.
  protected abstract S self();

  public final NftRule end(String comment) {
    return new NftRule(expressions, comment);
  }

  public final NftRule end(String comment, NftVerdict verdict) {
    add(new Decide(verdict));
    return end(comment);
  }

  protected final void add(Expression expression) {
    expressions.add(expression);
  }

  /// The first register that is free.
  protected final int at() {
    return at;
  }

  /// From here on the registers are filled again.
  protected final S begin() {
    at = 0;
    return self();
  }

  private int addressRegisters() {
    return ipv4 ? 1 : 4;
  }

  private int addressLength() {
    return ipv4 ? 4 : 16;
  }

  /// Loads the source, or the destination.
  private S load(boolean source) {
    int offset = source ? (ipv4 ? V4_SOURCE : V6_SOURCE) : (ipv4 ? V4_DESTINATION : V6_DESTINATION);
    add(new Payload(Payload.NETWORK, offset, addressLength(), at));
    at += addressRegisters();
    return self();
  }

  protected final S source() {
    return load(true);
  }

  protected final S destination() {
    return load(false);
  }

  protected final S protocolAndPort() {
    meta(Meta.TRANSPORT_PROTOCOL);
    add(new Payload(Payload.TRANSPORT, DESTINATION_PORT, 2, at++));
    return self();
  }

  /// Loads what the kernel knows of the packet, one of the numbers of [Meta].
  protected final S meta(int key) {
    add(new Meta(key, at++));
    return self();
  }

  /// Holds when what was loaded is in a set.
  protected final S in(String set) {
    add(Lookup.in(set, 0));
    return self();
  }

  /// Holds when it is not.
  protected final S notIn(String set) {
    add(Lookup.notIn(set, 0));
    return self();
  }

  /// Ends with the translation of the destination to the address and port a map has for what was
  /// loaded, if it has one.
  protected final S translateBy(String map) {
    add(Lookup.map(map, 0, at));
    add(new Translate(true, ipv4 ? NftFamily.IP : NftFamily.IP6, at, at + addressRegisters()));
    return self();
  }

  /// Holds when the source (or destination) is inside a range, or outside.
  public final S address(boolean source, NftData network, int prefixLength, boolean inside) {
    begin();
    load(source);
    int length = addressLength();
    byte[] mask = new byte[length];
    for (int bit = 0; bit < prefixLength; bit++) {
      mask[bit / 8] |= (byte) (0x80 >> (bit % 8));
    }
    if (prefixLength < length * 8) {
      add(new Bitwise(0, 0, NftData.wrap(mask), NftData.wrap(new byte[length])));
    }
    return compare(inside, network);
  }

  /// Holds when it came in through an interface of that name, or one whose name begins so, or
  /// through another.
  public final S inputInterface(String name, boolean prefix, boolean matches) {
    begin().meta(Meta.INPUT_INTERFACE_NAME);
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return compare(
        matches, NftData.wrap(prefix ? bytes : Arrays.copyOf(bytes, INTERFACE_NAME_LENGTH)));
  }

  /// Holds when register 0 has that value, or another.
  protected final S compare(boolean equal, NftData with) {
    add(new Compare(0, equal ? Compare.Operation.EQUAL : Compare.Operation.NOT_EQUAL, with));
    return self();
  }

  /// Holds when the source (or destination) is an address of this machine.
  public final S isThisMachine(boolean source) {
    return local(source, true);
  }

  /// Holds when the destination is no address of this machine.
  public final S isElsewhere() {
    return local(false, false);
  }

  private S local(boolean source, boolean expected) {
    add(new AddressKind(source, 0));
    return compare(expected, NftData.host32(AddressKind.LOCAL));
  }

  public final S reject() {
    add(new Reject(ipv4 ? Reject.PORT_UNREACHABLE_V4 : Reject.PORT_UNREACHABLE_V6));
    return self();
  }
}
