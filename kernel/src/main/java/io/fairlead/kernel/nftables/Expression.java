package io.fairlead.kernel.nftables;

import org.jspecify.annotations.Nullable;

/// One step of a rule. Steps pass values in registers: sixteen of four bytes, numbered here from 0;
/// a longer value fills several in a row.
public sealed interface Expression {

  /// Copies bytes of the packet into a register.
  record Payload(int base, int offset, int length, int to) implements Expression {
    public static final int NETWORK = 1;
    public static final int TRANSPORT = 2;
  }

  /// Copies a fact about the packet, `NFT_META_...`, into a register.
  record Meta(int key, int to) implements Expression {
    public static final int PRIORITY = 2;
    public static final int MARK = 3;
    public static final int INPUT_INTERFACE_NAME = 6;
    public static final int OUTPUT_INTERFACE_NAME = 7;
    public static final int TRACE = 12;
    public static final int TRANSPORT_PROTOCOL = 16;
  }

  /// Sets a fact about the packet from a register.
  record SetMeta(int key, int from) implements Expression {}

  /// Copies a fact about the connection, `NFT_CT_...`, into a register.
  record Connection(int key, int to) implements Expression {
    public static final int STATE = 0;
    public static final int STATUS = 2;
    public static final int MARK = 3;

    /// A bitmap of sixteen bytes.
    public static final int LABELS = 13;
  }

  /// Sets a fact about the connection from a register.
  record SetConnection(int key, int from) implements Expression {}

  /// Goes on only if a register compares so.
  record Compare(int from, Operation operation, NftData with) implements Expression {
    /// In the order of the kernel's numbers.
    public enum Operation {
      EQUAL,
      NOT_EQUAL,
      LESS,
      LESS_OR_EQUAL,
      GREATER,
      GREATER_OR_EQUAL
    }
  }

  /// `to = (from & mask) ^ xor`.
  record Bitwise(int from, int to, NftData mask, NftData xor) implements Expression {}

  /// Loads a constant.
  record Immediate(int to, NftData value) implements Expression {}

  /// Ends the rule with a verdict.
  record Decide(NftVerdict verdict) implements Expression {}

  /// Goes on only if a set has (or, inverted, has not) the key in a register; with a map, also
  /// loads the value into a register.
  ///
  /// @param to null for a set and for a map to verdicts, which decides
  /// @param decides whether the map's verdict is the rule's
  record Lookup(String set, int key, @Nullable Integer to, boolean decides, boolean inverted)
      implements Expression {
    public static Lookup in(String set, int key) {
      return new Lookup(set, key, null, false, false);
    }

    public static Lookup notIn(String set, int key) {
      return new Lookup(set, key, null, false, true);
    }

    public static Lookup map(String set, int key, int to) {
      return new Lookup(set, key, to, false, false);
    }

    public static Lookup decide(String set, int key) {
      return new Lookup(set, key, null, true, false);
    }
  }

  /// Changes a set from the packet path.
  ///
  /// @param value register of the value; null for a set
  record ChangeSet(
      String set, Operation operation, int key, @Nullable Integer value, long timeoutMillis)
      implements Expression {
    /// In the order of the kernel's numbers. Adding leaves an element that is there alone; updating
    /// also starts its time again. Neither replaces the value.
    public enum Operation {
      ADD,
      UPDATE,
      DELETE
    }
  }

  /// Adds a key to a set, or leaves it, and goes on only while the element's own limit allows it:
  /// so many a second after a first burst.
  record AddLimited(String set, int key, long perSecond, int burst) implements Expression {}

  /// Goes on only so many times a second after a first burst.
  record Limit(long perSecond, int burst) implements Expression {}

  /// Turns numbers of `size` bytes into network order, `length` bytes in all.
  record ToNetworkOrder(int from, int to, int length, int size) implements Expression {}

  /// Sends the packet to the listeners of a group, see {@link
  /// io.fairlead.kernel.nftables.PacketLogListener}.
  ///
  /// @param prefix for listeners
  /// @param bytes how much of the packet is sent
  record Log(int group, String prefix, int bytes) implements Expression {}

  /// Loads `from .. from + count - 1`, at random or in turn.
  record NumberGenerator(int to, int count, boolean random, int from) implements Expression {}

  /// Replaces address and port of a new connection.
  ///
  /// @param port null to keep the port
  record Translate(boolean destination, NftFamily family, int address, @Nullable Integer port)
      implements Expression {}

  /// Replaces the source by the address of the outgoing interface.
  record Masquerade(boolean fullyRandom) implements Expression {}

  /// Replaces the destination by the address of the interface the packet came in by.
  record Redirect() implements Expression {}

  /// Answers with a TCP reset.
  record Reset() implements Expression {}

  /// Answers with ICMP unreachable of that code.
  record Reject(int code) implements Expression {
    public static final int PORT_UNREACHABLE_V4 = 3;
    public static final int PORT_UNREACHABLE_V6 = 4;
    public static final int PROHIBITED_V4 = 13;
    public static final int PROHIBITED_V6 = 1;
  }

  /// Loads what kind of address the packet's source (or destination) is to this machine.
  record AddressKind(boolean source, int to) implements Expression {
    /// `RTN_LOCAL`.
    public static final int LOCAL = 2;
  }

  /// Loads one byte: whether the packet's source is reached through the interface it came in by.
  record SourceRoute(int to) implements Expression {}

  /// Counts.
  record Counter(long packets, long bytes) implements Expression {}

  /// An expression this program does not know, as the kernel printed it.
  record Other(String name, NftData attributes) implements Expression {}
}
