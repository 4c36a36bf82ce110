package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.nftables.Expression.AddLimited;
import io.fairlead.kernel.nftables.Expression.AddressKind;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.ChangeSet;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Connection;
import io.fairlead.kernel.nftables.Expression.Counter;
import io.fairlead.kernel.nftables.Expression.Decide;
import io.fairlead.kernel.nftables.Expression.Immediate;
import io.fairlead.kernel.nftables.Expression.Limit;
import io.fairlead.kernel.nftables.Expression.Log;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Masquerade;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.NumberGenerator;
import io.fairlead.kernel.nftables.Expression.Other;
import io.fairlead.kernel.nftables.Expression.Payload;
import io.fairlead.kernel.nftables.Expression.Redirect;
import io.fairlead.kernel.nftables.Expression.Reject;
import io.fairlead.kernel.nftables.Expression.Reset;
import io.fairlead.kernel.nftables.Expression.SetConnection;
import io.fairlead.kernel.nftables.Expression.SetMeta;
import io.fairlead.kernel.nftables.Expression.SourceRoute;
import io.fairlead.kernel.nftables.Expression.ToNetworkOrder;
import io.fairlead.kernel.nftables.Expression.Translate;

/// Writes expressions as attributes. Attribute numbers are those of the kernel header, in the order
/// of its enumerations.
final class ExpressionWriter {
  private static final int RANDOM_FULLY = 0x10;
  private static final int PORT_GIVEN = 0x2;
  private static final int FIB_SOURCE = 1;
  private static final int FIB_DESTINATION = 2;
  private static final int FIB_KIND = 3;
  private static final int FIB_OUTPUT_INTERFACE = 1;

  /// Source address, input interface, and only whether there is one.
  static final int FIB_SOURCE_BY_INPUT = 1 | 8 | 32;

  private static final int TO_NETWORK = 1;
  private static final int REJECT_RESET = 1;
  private static final int NUMBER_RANDOM = 1;

  private final NetlinkMessageWriter out;

  ExpressionWriter(NetlinkMessageWriter out) {
    this.out = out;
  }

  /// Writes the name and the data; the caller has opened the attribute around them.
  void write(Expression expression) {
    if (expression instanceof Other other) {
      out.string(NftConstants.EXPRESSION_NAME, other.name());
      int data = out.nest(NftConstants.EXPRESSION_DATA);
      out.put(other.attributes().array());
      out.close(data);
      return;
    }
    out.string(NftConstants.EXPRESSION_NAME, name(expression));
    int data = out.nest(NftConstants.EXPRESSION_DATA);
    data(expression);
    out.close(data);
  }

  private static String name(Expression expression) {
    return switch (expression) {
      case Payload _ -> "payload";
      case Meta _, SetMeta _ -> "meta";
      case Connection _, SetConnection _ -> "ct";
      case Compare _ -> "cmp";
      case Bitwise _ -> "bitwise";
      case Immediate _, Decide _ -> "immediate";
      case Lookup _ -> "lookup";
      case ChangeSet _, AddLimited _ -> "dynset";
      case ToNetworkOrder _ -> "byteorder";
      case Limit _ -> "limit";
      case Log _ -> "log";
      case NumberGenerator _ -> "numgen";
      case Translate _ -> "nat";
      case Masquerade _ -> "masq";
      case Redirect _ -> "redir";
      case Reject _, Reset _ -> "reject";
      case AddressKind _, SourceRoute _ -> "fib";
      case Counter _ -> "counter";
      case Other other -> other.name();
    };
  }

  private void data(Expression expression) {
    switch (expression) {
      case Payload payload -> {
        register(1, payload.to());
        out.be32(2, payload.base());
        out.be32(3, payload.offset());
        out.be32(4, payload.length());
      }
      case Meta meta -> {
        out.be32(2, meta.key());
        register(1, meta.to());
      }
      case SetMeta meta -> {
        out.be32(2, meta.key());
        register(3, meta.from());
      }
      case Connection connection -> {
        out.be32(2, connection.key());
        register(1, connection.to());
      }
      case SetConnection connection -> {
        out.be32(2, connection.key());
        register(4, connection.from());
      }
      case Compare compare -> {
        register(1, compare.from());
        out.be32(2, compare.operation().ordinal());
        value(3, compare.with());
      }
      case Bitwise bitwise -> {
        register(1, bitwise.from());
        register(2, bitwise.to());
        out.be32(3, bitwise.mask().length());
        value(4, bitwise.mask());
        value(5, bitwise.xor());
      }
      case Immediate immediate -> {
        register(1, immediate.to());
        value(2, immediate.value());
      }
      case Decide decide -> {
        out.be32(1, 0);
        verdict(2, decide.verdict());
      }
      case Lookup lookup -> lookup(lookup);
      case ChangeSet change -> change(change);
      case AddLimited add -> add(add);
      case ToNetworkOrder order -> {
        register(1, order.from());
        register(2, order.to());
        out.be32(3, TO_NETWORK);
        out.be32(4, order.length());
        out.be32(5, order.size());
      }
      case Limit limit -> limit(limit.perSecond(), limit.burst());
      case Log log -> {
        out.be16(1, log.group());
        out.string(2, log.prefix());
        out.be32(3, log.bytes());
      }
      case NumberGenerator number -> {
        register(1, number.to());
        out.be32(2, number.count());
        out.be32(3, number.random() ? NUMBER_RANDOM : 0);
        out.be32(4, number.from());
      }
      case Translate translate -> translate(translate);
      case Masquerade masquerade -> {
        if (masquerade.fullyRandom()) {
          out.be32(1, RANDOM_FULLY);
        }
      }
      case Redirect _ -> {}
      case Reject reject -> {
        out.be32(1, 0);
        out.u8(2, reject.code());
      }
      case Reset _ -> {
        out.be32(1, REJECT_RESET);
        out.u8(2, 0);
      }
      case SourceRoute route -> {
        out.be32(3, FIB_SOURCE_BY_INPUT);
        out.be32(2, FIB_OUTPUT_INTERFACE);
        register(1, route.to());
      }
      case AddressKind kind -> {
        out.be32(3, kind.source() ? FIB_SOURCE : FIB_DESTINATION);
        out.be32(2, FIB_KIND);
        register(1, kind.to());
      }
      case Counter counter -> {
        out.be64(1, counter.bytes());
        out.be64(2, counter.packets());
      }
      case Other _ -> throw new IllegalStateException("written as it was read");
    }
  }

  private void lookup(Lookup lookup) {
    out.string(1, lookup.set());
    register(2, lookup.key());
    if (lookup.decides()) {
      out.be32(3, 0);
    } else if (lookup.to() != null) {
      register(3, lookup.to());
    }
    if (lookup.inverted()) {
      out.be32(5, 1);
    }
  }

  private void change(ChangeSet change) {
    out.string(1, change.set());
    out.be32(3, change.operation().ordinal());
    register(4, change.key());
    if (change.value() != null) {
      register(5, change.value());
    }
    if (change.timeoutMillis() > 0) {
      out.be64(6, change.timeoutMillis());
    }
  }

  private void add(AddLimited add) {
    out.string(1, add.set());
    out.be32(3, ChangeSet.Operation.ADD.ordinal());
    register(4, add.key());
    int limit = out.nest(7);
    out.string(NftConstants.EXPRESSION_NAME, "limit");
    int data = out.nest(NftConstants.EXPRESSION_DATA);
    limit(add.perSecond(), add.burst());
    out.close(data);
    out.close(limit);
  }

  /// Packets for each second.
  private void limit(long perSecond, int burst) {
    out.be64(1, perSecond);
    out.be64(2, 1);
    out.be32(3, burst);
    out.be32(4, 0);
  }

  private void translate(Translate translate) {
    out.be32(1, translate.destination() ? 1 : 0);
    out.be32(2, translate.family().number());
    register(3, translate.address());
    if (translate.port() != null) {
      register(5, translate.port());
      out.be32(7, PORT_GIVEN);
    }
  }

  private void register(int attribute, int register) {
    out.be32(attribute, NftConstants.REGISTER_BASE + register);
  }

  void value(int attribute, NftData value) {
    int start = out.nest(attribute);
    out.bytes(NftConstants.DATA_VALUE, value.array());
    out.close(start);
  }

  void verdict(int attribute, NftVerdict verdict) {
    int start = out.nest(attribute);
    int inner = out.nest(NftConstants.DATA_VERDICT);
    out.be32(NftConstants.VERDICT_CODE, verdict.code());
    if (!verdict.chain().isEmpty()) {
      out.string(NftConstants.VERDICT_CHAIN, verdict.chain());
    }
    out.close(inner);
    out.close(start);
  }
}
