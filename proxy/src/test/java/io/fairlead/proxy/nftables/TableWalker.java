package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.DataType;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.FlowEnd;
import io.fairlead.proxy.flows.Packet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Walks a new connection through a table, expression by expression over sixteen registers as the
/// kernel does, and follows every random number. Written from the kernel's documentation of
/// nf_tables, not from our rules. The client has never been here before.
final class TableWalker {
  private static final int ACCEPT = 1;
  private static final int DROP = 0;
  private static final int JUMP = -3;
  private static final int GOTO = -4;
  private static final int RETURN = -5;
  private static final int DNAT_STATUS = 0x20;

  /// How a rule or a chain ended for a connection.
  private enum Outcome {
    NEXT,
    RETURNED,
    ACCEPTED,
    DROPPED,
    REJECTED
  }

  private record Ended(Connection connection, Outcome outcome) {}

  private final InstalledTable found;
  private final NftablesTableLayout layout;
  private final Set<IpAddress> nodeAddresses;
  private final Packet packet;

  private TableWalker(
      InstalledTable found,
      NftablesTableLayout layout,
      Set<IpAddress> nodeAddresses,
      Packet packet) {
    this.found = found;
    this.layout = layout;
    this.nodeAddresses = nodeAddresses;
    this.packet = packet;
  }

  static Set<FlowEnd> walk(
      InstalledTable found,
      NftablesTableLayout layout,
      Set<IpAddress> nodeAddresses,
      Packet packet) {
    return new TableWalker(found, layout, nodeAddresses, packet).run();
  }

  private Set<FlowEnd> run() {
    Set<FlowEnd> ends = new HashSet<>();
    for (Ended chosen :
        chain(packet.fromNode() ? "output" : "prerouting", new Connection(packet))) {
      switch (chosen.outcome) {
        case DROPPED -> ends.add(new FlowEnd.Dropped());
        case REJECTED -> ends.add(new FlowEnd.Rejected());
        case NEXT, RETURNED, ACCEPTED -> {
          for (Ended left : chain("postrouting", chosen.connection)) {
            Connection sent = left.connection;
            if (sent.priority != 0) {
              throw new AssertionError("a packet leaves with the priority " + sent.priority);
            }
            ends.add(new FlowEnd.Sent(sent.to, sent.port, sent.translated, sent.masqueraded));
          }
        }
      }
    }
    return ends;
  }

  private List<Ended> chain(String name, Connection start) {
    List<Ended> ended = new ArrayList<>();
    List<Connection> here = List.of(start);
    for (NftRule rule : found.rules().getOrDefault(name, List.of())) {
      List<Connection> next = new ArrayList<>();
      for (Connection connection : here) {
        for (Ended each : step(rule.expressions(), 0, connection)) {
          if (each.outcome == Outcome.NEXT) {
            next.add(each.connection);
          } else {
            ended.add(each);
          }
        }
      }
      here = next;
    }
    here.forEach(connection -> ended.add(new Ended(connection, Outcome.RETURNED)));
    return ended;
  }

  /// Runs a rule from one of its expressions on.
  private List<Ended> step(List<Expression> expressions, int at, Connection connection) {
    if (at == expressions.size()) {
      return List.of(new Ended(connection, Outcome.NEXT));
    }
    Expression expression = expressions.get(at);
    if (expression instanceof Expression.NumberGenerator number) {
      List<Ended> ways = new ArrayList<>();
      for (int i = 0; i < number.count(); i++) {
        Connection copy = connection.copy();
        copy.load(number.to(), NftData.host32(number.from() + i));
        ways.addAll(step(expressions, at + 1, copy));
      }
      return ways;
    }
    if (expression instanceof Expression.Decide(NftVerdict verdict)) {
      return decide(verdict, connection);
    }
    if (expression instanceof Expression.Lookup lookup && lookup.decides()) {
      SetElement element = lookup(lookup.set(), lookup.key(), connection);
      return element == null || element.verdict() == null
          ? List.of(new Ended(connection, Outcome.NEXT))
          : decide(element.verdict(), connection);
    }
    return switch (expression) {
      case Expression.Reject _ -> List.of(new Ended(connection, Outcome.REJECTED));
      case Expression.Translate translate -> {
        connection.translate(translate);
        yield List.of(new Ended(connection, Outcome.ACCEPTED));
      }
      case Expression.Masquerade _ -> {
        connection.masqueraded = true;
        yield List.of(new Ended(connection, Outcome.ACCEPTED));
      }
      default ->
          holds(expression, connection)
              ? step(expressions, at + 1, connection)
              : List.of(new Ended(connection, Outcome.NEXT));
    };
  }

  private List<Ended> decide(NftVerdict verdict, Connection connection) {
    return switch (verdict.code()) {
      case ACCEPT -> List.of(new Ended(connection, Outcome.ACCEPTED));
      case DROP -> List.of(new Ended(connection, Outcome.DROPPED));
      case RETURN -> List.of(new Ended(connection, Outcome.RETURNED));
      case GOTO -> chain(verdict.chain(), connection);
      case JUMP ->
          chain(verdict.chain(), connection).stream()
              .map(
                  each ->
                      each.outcome == Outcome.RETURNED
                          ? new Ended(each.connection, Outcome.NEXT)
                          : each)
              .toList();
      default -> throw new AssertionError(verdict);
    };
  }

  /// Carries out an expression that neither ends the rule nor branches; false breaks off the rule.
  private boolean holds(Expression expression, Connection connection) {
    switch (expression) {
      case Expression.Payload payload ->
          connection.load(payload.to(), payload(payload, connection));
      case Expression.Meta meta -> connection.load(meta.to(), connection.meta(meta.key()));
      case Expression.SetMeta meta -> connection.setMeta(meta.key(), meta.from());
      case Expression.Connection status ->
          connection.load(status.to(), NftData.host32(connection.translated ? DNAT_STATUS : 0));
      case Expression.Bitwise bitwise -> connection.bitwise(bitwise);
      case Expression.Immediate immediate -> connection.load(immediate.to(), immediate.value());
      case Expression.AddressKind kind -> {
        boolean local = isLocal(kind.source() ? packet.source() : connection.to);
        connection.load(kind.to(), NftData.host32(local ? Expression.AddressKind.LOCAL : 1));
      }
      case Expression.Compare compare -> {
        boolean equal =
            connection.read(compare.from(), compare.with().length()).equals(compare.with());
        return equal == (compare.operation() == Expression.Compare.Operation.EQUAL);
      }
      case Expression.Lookup lookup -> {
        SetElement element = lookup(lookup.set(), lookup.key(), connection);
        if (element != null && lookup.to() != null && element.value() != null) {
          connection.load(lookup.to(), element.value());
        }
        return (element != null) != lookup.inverted();
      }
      // Remembering succeeds, forgetting what is not there does nothing.
      case Expression.ChangeSet _, Expression.Counter _ -> {}
      default -> throw new AssertionError("unknown to the walker: " + expression);
    }
    return true;
  }

  private NftData payload(Expression.Payload payload, Connection connection) {
    if (payload.base() == Expression.Payload.TRANSPORT) {
      return NftData.of((byte) (connection.port >> 8), (byte) connection.port);
    }
    boolean ipv4 = packet.source().isIpv4();
    boolean source = payload.offset() == (ipv4 ? 12 : 8);
    return NftData.wrap((source ? packet.source() : connection.to).toBytes());
  }

  private boolean isLocal(IpAddress address) {
    return address.isLoopback() || nodeAddresses.contains(address);
  }

  private @Nullable SetElement lookup(String set, int register, Connection connection) {
    ProxySet container =
        Stream.of(ProxySet.values())
            .filter(each -> each.setName().equals(set))
            .findFirst()
            .orElseThrow();
    SetSpecification specification = layout.set(container);
    NftData key = connection.read(register, specification.keyLength());
    Map<NftData, SetElement> all = found.elements().of(container);
    if (!specification.interval()) {
      return all.get(key);
    }
    return all.values().stream()
        .filter(element -> within(specification.key(), element, key))
        .findFirst()
        .orElse(null);
  }

  /// Every part of the key lies between those of the ends.
  private static boolean within(List<DataType> types, SetElement element, NftData key) {
    NftData last = element.keyEnd() == null ? element.key() : element.keyEnd();
    int at = 0;
    for (DataType type : types) {
      byte[] part = key.slice(at, type.length()).toByteArray();
      if (Arrays.compareUnsigned(part, element.key().slice(at, type.length()).toByteArray()) < 0
          || Arrays.compareUnsigned(part, last.slice(at, type.length()).toByteArray()) > 0) {
        return false;
      }
      at += type.padded();
    }
    return true;
  }

  /// A connection on its way: what may still change about it, and the registers.
  private static final class Connection {
    private static final int REGISTER = 4;

    private final byte[] registers = new byte[16 * REGISTER];
    private final Protocol protocol;
    private IpAddress to;
    private int port;
    private int mark;
    private int priority;
    private boolean translated;
    private boolean masqueraded;

    Connection(Packet packet) {
      this.protocol = packet.protocol();
      this.to = packet.to();
      this.port = packet.port();
    }

    private Connection(Connection other) {
      System.arraycopy(other.registers, 0, registers, 0, registers.length);
      protocol = other.protocol;
      to = other.to;
      port = other.port;
      mark = other.mark;
      priority = other.priority;
      translated = other.translated;
      masqueraded = other.masqueraded;
    }

    Connection copy() {
      return new Connection(this);
    }

    /// Fills whole registers, the rest of the last one with zeros.
    void load(int register, NftData value) {
      int padded = (value.length() + REGISTER - 1) / REGISTER * REGISTER;
      Arrays.fill(registers, register * REGISTER, register * REGISTER + padded, (byte) 0);
      System.arraycopy(value.toByteArray(), 0, registers, register * REGISTER, value.length());
    }

    NftData read(int register, int length) {
      return NftData.of(
          Arrays.copyOfRange(registers, register * REGISTER, register * REGISTER + length));
    }

    NftData meta(int key) {
      return switch (key) {
        case Expression.Meta.MARK -> NftData.host32(mark);
        case Expression.Meta.PRIORITY -> NftData.host32(priority);
        case Expression.Meta.TRANSPORT_PROTOCOL -> NftData.of((byte) protocol.number());
        default -> throw new AssertionError("meta " + key);
      };
    }

    void setMeta(int key, int register) {
      int value = InstalledTable.number(read(register, REGISTER));
      switch (key) {
        case Expression.Meta.MARK -> mark = value;
        case Expression.Meta.PRIORITY -> priority = value;
        default -> throw new AssertionError("meta " + key);
      }
    }

    void bitwise(Expression.Bitwise bitwise) {
      byte[] value = read(bitwise.from(), bitwise.mask().length()).toByteArray();
      for (int i = 0; i < value.length; i++) {
        value[i] = (byte) ((value[i] & bitwise.mask().at(i)) ^ bitwise.xor().at(i));
      }
      load(bitwise.to(), NftData.wrap(value));
    }

    void translate(Expression.Translate translate) {
      to = IpAddress.ofBytes(read(translate.address(), to.toBytes().length).toByteArray());
      if (translate.port() != null) {
        NftData bytes = read(translate.port(), 2);
        port = (bytes.at(0) & 0xff) << 8 | (bytes.at(1) & 0xff);
      }
      translated = true;
    }
  }
}
