package io.fairlead.proxy.trace;

import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Immediate;
import io.fairlead.kernel.nftables.Expression.Limit;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.Payload;
import io.fairlead.kernel.nftables.Expression.SetMeta;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.Protocol;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The table that has the kernel report the first packets of one connection.
///
/// How it works: a rule in front of everything else marks the packets to be traced, and from then
/// on every chain of nf_tables reports what it does with them. Chains of this table without rules
/// at forward, input and postrouting report too: by them one sees between which hooks a packet
/// vanished. The table belongs to the connection to the kernel that made it and goes with that,
/// also when the process is killed.
public final class TraceTable implements AutoCloseable {
  public static final String NAME = "fairlead-trace";

  static final String ENTER = "enter";
  static final String LOCAL_OUT = "local-out";
  static final String FORWARD = "forward";
  static final String ARRIVE = "arrive";
  static final String LEAVE = "leave";

  private static final int FIRST = -350;
  private static final int LAST = 350;
  private static final int PER_SECOND = 20;
  private static final int PASSIVE_PER_SECOND = 5;
  private static final byte SYN = 0x02;

  /// FIN, SYN, RST and ACK.
  private static final byte FLAGS = 0x17;

  private final Nftables nftables;
  private final Table table;

  private TraceTable(Nftables nftables, Table table) {
    this.nftables = nftables;
    this.table = table;
  }

  /// Which packets are traced.
  ///
  /// @param source null for any
  /// @param sourcePort 0 for any
  record Match(
      @Nullable InetAddress source,
      InetAddress destination,
      Protocol protocol,
      int sourcePort,
      int port) {
    boolean ipv4() {
      return destination.getAddress().length == 4;
    }

    /// Where the tracer does not choose the connection there may be many.
    int perSecond() {
      return sourcePort == 0 ? PASSIVE_PER_SECOND : PER_SECOND;
    }
  }

  /// Another trace has the table.
  public static final class TraceRunningException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TraceRunningException(Throwable cause) {
      super("another trace runs on this node", cause);
    }
  }

  /// Makes the table in the network namespace of the calling thread. One that an older kernel kept
  /// after its maker was gone is replaced.
  ///
  /// @throws TraceRunningException when another connection owns one
  static TraceTable open(Match match) {
    Nftables nftables = Nftables.open();
    Table table = new Table(match.ipv4() ? NftFamily.IP : NftFamily.IP6, NAME);
    try {
      if (nftables.tables(table.family()).contains(table)) {
        removeLeftover(nftables, table);
      }
      fill(nftables.transaction(), table, match).commit();
      return new TraceTable(nftables, table);
    } catch (RuntimeException e) {
      nftables.close();
      throw e instanceof SystemCallException call && isOwned(call)
          ? new TraceRunningException(e)
          : e;
    }
  }

  private static void removeLeftover(Nftables nftables, Table table) {
    try {
      nftables.transaction().deleteTable(table).commit();
    } catch (SystemCallException e) {
      // Its owner took it away meanwhile.
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  private static boolean isOwned(SystemCallException e) {
    return e.errno().equals(Errno.EPERM) || e.errno().equals(Errno.EEXIST);
  }

  private static Transaction fill(Transaction out, Table table, Match match) {
    out.addTransientTable(table, "one trace of fairlead");
    base(out, table, ENTER, Hook.PREROUTING, FIRST);
    base(out, table, LOCAL_OUT, Hook.OUTPUT, FIRST);
    base(out, table, FORWARD, Hook.FORWARD, FIRST);
    base(out, table, ARRIVE, Hook.INPUT, LAST);
    base(out, table, LEAVE, Hook.POSTROUTING, LAST);
    NftRule rule = rule(match);
    return out.addRule(table, ENTER, rule).addRule(table, LOCAL_OUT, rule);
  }

  private static void base(Transaction out, Table table, String name, int hook, int priority) {
    out.addChain(table, new Chain(name, new Hook("filter", hook, priority), ""));
  }

  /// `ip saddr S ip daddr D tcp sport P tcp dport Q tcp flags & (fin|syn|rst|ack) == syn limit rate
  /// 20/second meta nftrace set 1`.
  static NftRule rule(Match match) {
    boolean ipv4 = match.ipv4();
    int length = ipv4 ? 4 : 16;
    List<Expression> steps = new ArrayList<>();
    InetAddress source = match.source();
    if (source != null) {
      equal(steps, new Payload(Payload.NETWORK, ipv4 ? 12 : 8, length, 0), bytes(source));
    }
    equal(
        steps, new Payload(Payload.NETWORK, ipv4 ? 16 : 24, length, 0), bytes(match.destination()));
    steps.add(new Meta(Meta.TRANSPORT_PROTOCOL, 0));
    steps.add(equals(NftData.of((byte) match.protocol().number())));
    if (match.sourcePort() != 0) {
      equal(steps, new Payload(Payload.TRANSPORT, 0, 2, 0), port(match.sourcePort()));
    }
    equal(steps, new Payload(Payload.TRANSPORT, 2, 2, 0), port(match.port()));
    if (match.protocol() == Protocol.TCP) {
      steps.add(new Payload(Payload.TRANSPORT, 13, 1, 0));
      steps.add(new Bitwise(0, 0, NftData.of(FLAGS), NftData.of((byte) 0)));
      steps.add(equals(NftData.of(SYN)));
    }
    steps.add(new Limit(match.perSecond(), match.perSecond()));
    steps.add(new Immediate(0, NftData.of((byte) 1)));
    steps.add(new SetMeta(Meta.TRACE, 0));
    return new NftRule(steps, "");
  }

  private static void equal(List<Expression> steps, Payload field, NftData value) {
    steps.add(field);
    steps.add(equals(value));
  }

  private static Compare equals(NftData value) {
    return new Compare(0, Compare.Operation.EQUAL, value);
  }

  private static NftData bytes(InetAddress address) {
    return NftData.wrap(address.getAddress());
  }

  private static NftData port(int port) {
    return NftData.of((byte) (port >> 8), (byte) port);
  }

  /// Takes the table away.
  @Override
  public void close() {
    try {
      nftables.transaction().deleteTable(table).commit();
    } catch (SystemCallException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    } finally {
      nftables.close();
    }
  }
}
