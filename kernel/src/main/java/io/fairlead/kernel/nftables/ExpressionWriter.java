package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.MessageWriter;
import io.fairlead.kernel.nftables.Expression.AddressKind;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.ChangeSet;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Connection;
import io.fairlead.kernel.nftables.Expression.Counter;
import io.fairlead.kernel.nftables.Expression.Decide;
import io.fairlead.kernel.nftables.Expression.Immediate;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Masquerade;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.Number;
import io.fairlead.kernel.nftables.Expression.Other;
import io.fairlead.kernel.nftables.Expression.Payload;
import io.fairlead.kernel.nftables.Expression.Reject;
import io.fairlead.kernel.nftables.Expression.SetMeta;
import io.fairlead.kernel.nftables.Expression.Translate;

/// Writes expressions as attributes. Attribute numbers are those of the kernel header, in the order
/// of its enumerations.
final class ExpressionWriter {
  private static final int RANDOM_FULLY = 0x10;
  private static final int PORT_GIVEN = 0x2;
  private static final int FIB_SOURCE = 1;
  private static final int FIB_DESTINATION = 2;
  private static final int FIB_KIND = 3;
  private static final int NUMBER_RANDOM = 1;

  private final MessageWriter out;

  ExpressionWriter(MessageWriter out) {
    this.out = out;
  }

  /// Writes the name and the data; the caller has opened the attribute around them.
  void write(Expression expression) {
    if (expression instanceof Other other) {
      out.string(Numbers.EXPRESSION_NAME, other.name());
      int data = out.nest(Numbers.EXPRESSION_DATA);
      out.put(other.attributes().array());
      out.close(data);
      return;
    }
    out.string(Numbers.EXPRESSION_NAME, name(expression));
    int data = out.nest(Numbers.EXPRESSION_DATA);
    data(expression);
    out.close(data);
  }

  private static String name(Expression expression) {
    return switch (expression) {
      case Payload _ -> "payload";
      case Meta _, SetMeta _ -> "meta";
      case Connection _ -> "ct";
      case Compare _ -> "cmp";
      case Bitwise _ -> "bitwise";
      case Immediate _, Decide _ -> "immediate";
      case Lookup _ -> "lookup";
      case ChangeSet _ -> "dynset";
      case Number _ -> "numgen";
      case Translate _ -> "nat";
      case Masquerade _ -> "masq";
      case Reject _ -> "reject";
      case AddressKind _ -> "fib";
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
      case Number number -> {
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
      case Reject reject -> {
        out.be32(1, 0);
        out.u8(2, reject.code());
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
    out.be32(attribute, Numbers.REGISTER_BASE + register);
  }

  void value(int attribute, Bytes value) {
    int start = out.nest(attribute);
    out.bytes(Numbers.DATA_VALUE, value.array());
    out.close(start);
  }

  void verdict(int attribute, Verdict verdict) {
    int start = out.nest(attribute);
    int inner = out.nest(Numbers.DATA_VERDICT);
    out.be32(Numbers.VERDICT_CODE, verdict.code());
    if (!verdict.chain().isEmpty()) {
      out.string(Numbers.VERDICT_CHAIN, verdict.chain());
    }
    out.close(inner);
    out.close(start);
  }
}
