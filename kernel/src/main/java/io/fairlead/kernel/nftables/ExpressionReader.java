package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads expressions the kernel lists. One it does not know becomes {@link Expression.Other}.
final class ExpressionReader {
  private static final int OLD_REGISTERS = 4;

  /// The attributes of one expression by number.
  private final Map<Integer, NftData> attributes = new HashMap<>();

  private ExpressionReader(NetlinkAttributeReader data) {
    while (data.next()) {
      attributes.put(data.type(), NftData.wrap(data.bytes()));
    }
  }

  /// Reads the attributes inside a list element: a name and data.
  static Expression read(NetlinkAttributeReader element) {
    String name = "";
    NftData data = NftData.EMPTY;
    while (element.next()) {
      switch (element.type()) {
        case NftConstants.EXPRESSION_NAME -> name = element.string();
        case NftConstants.EXPRESSION_DATA -> data = NftData.wrap(element.bytes());
        default -> {}
      }
    }
    Expression known = new ExpressionReader(NetlinkAttributeReader.of(data.array())).known(name);
    return known == null ? new Expression.Other(name, data) : known;
  }

  private @Nullable Expression known(String name) {
    return switch (name) {
      case "payload" ->
          attributes.containsKey(1)
              ? new Expression.Payload(number(2), number(3), number(4), register(1))
              : null;
      case "meta" ->
          attributes.containsKey(3)
              ? new Expression.SetMeta(number(2), register(3))
              : new Expression.Meta(number(2), register(1));
      case "ct" ->
          attributes.containsKey(1)
              ? new Expression.Connection(number(2), register(1))
              : new Expression.SetConnection(number(2), register(4));
      case "cmp" -> new Expression.Compare(register(1), operation(number(2)), value(bytes(3)));
      case "bitwise" ->
          attributes.containsKey(4)
              ? new Expression.Bitwise(register(1), register(2), value(bytes(4)), value(bytes(5)))
              : null;
      case "immediate" -> immediate();
      case "lookup" -> lookup();
      case "dynset" -> attributes.containsKey(7) ? add() : change();
      case "byteorder" ->
          number(3) == 1
              ? new Expression.ToNetworkOrder(register(1), register(2), number(4), number(5))
              : null;
      case "log" ->
          attributes.containsKey(1)
              ? new Expression.Log((int) big(bytes(1), 2), text(2), optional(3, 0))
              : null;
      case "limit" ->
          optionalLong(2) == 1 && optional(4, 0) == 0 && optional(5, 0) == 0
              ? new Expression.Limit(optionalLong(1), optional(3, 0))
              : null;
      case "numgen" ->
          new Expression.NumberGenerator(register(1), number(2), number(3) == 1, optional(4, 0));
      case "nat" -> translate();
      case "masq" -> new Expression.Masquerade((optional(1, 0) & 0x10) != 0);
      case "redir" -> attributes.isEmpty() ? new Expression.Redirect() : null;
      case "reject" ->
          switch (number(1)) {
            case 0 -> new Expression.Reject(bytes(2).at(0) & 0xff);
            case 1 -> new Expression.Reset();
            default -> null;
          };
      case "fib" -> route();
      case "counter" -> new Expression.Counter(optionalLong(2), optionalLong(1));
      default -> null;
    };
  }

  private Expression immediate() {
    if (number(1) == 0) {
      return new Expression.Decide(verdict(bytes(2)));
    }
    return new Expression.Immediate(register(1), value(bytes(2)));
  }

  private Expression lookup() {
    boolean decides = attributes.containsKey(3) && number(3) == 0;
    Integer to = attributes.containsKey(3) && !decides ? register(3) : null;
    return new Expression.Lookup(text(1), register(2), to, decides, (optional(5, 0) & 1) != 0);
  }

  private Expression change() {
    return new Expression.ChangeSet(
        text(1),
        operationOfChange(number(3)),
        register(4),
        attributes.containsKey(5) ? register(5) : null,
        optionalLong(6));
  }

  private @Nullable Expression add() {
    NftData limit = NftData.EMPTY;
    NetlinkAttributeReader nested = NetlinkAttributeReader.of(bytes(7).array());
    while (nested.next()) {
      switch (nested.type()) {
        case NftConstants.EXPRESSION_NAME -> {
          if (!nested.string().equals("limit")) {
            return null;
          }
        }
        case NftConstants.EXPRESSION_DATA -> limit = NftData.wrap(nested.bytes());
        default -> {}
      }
    }
    ExpressionReader data = new ExpressionReader(NetlinkAttributeReader.of(limit.array()));
    return new Expression.AddLimited(
        text(1), register(4), data.optionalLong(1), data.optional(3, 0));
  }

  private @Nullable Expression route() {
    int flags = number(3);
    return switch (number(2)) {
      case 3 ->
          flags == 1 || flags == 2 ? new Expression.AddressKind(flags == 1, register(1)) : null;
      case 1 ->
          flags == ExpressionWriter.FIB_SOURCE_BY_INPUT
              ? new Expression.SourceRoute(register(1))
              : null;
      default -> null;
    };
  }

  private Expression translate() {
    return new Expression.Translate(
        number(1) == 1,
        NftFamily.of(number(2)),
        register(3),
        attributes.containsKey(5) ? register(5) : null);
  }

  private static Expression.Compare.Operation operation(int number) {
    Expression.Compare.Operation[] all = Expression.Compare.Operation.values();
    if (number < 0 || number >= all.length) {
      throw new MalformedMessageException("no comparison has the number " + number);
    }
    return all[number];
  }

  private static Expression.ChangeSet.Operation operationOfChange(int number) {
    Expression.ChangeSet.Operation[] all = Expression.ChangeSet.Operation.values();
    if (number < 0 || number >= all.length) {
      throw new MalformedMessageException("no change of a set has the number " + number);
    }
    return all[number];
  }

  /// The kernel numbers the four registers of sixteen bytes 1 to 4 where a value begins at one.
  private int register(int attribute) {
    int number = number(attribute);
    return number <= OLD_REGISTERS ? (number - 1) * 4 : number - NftConstants.REGISTER_BASE;
  }

  private NftData bytes(int attribute) {
    NftData bytes = attributes.get(attribute);
    if (bytes == null) {
      throw new MalformedMessageException("an expression lacks attribute " + attribute);
    }
    return bytes;
  }

  private int number(int attribute) {
    return (int) big(bytes(attribute), 4);
  }

  private int optional(int attribute, int otherwise) {
    return attributes.containsKey(attribute) ? number(attribute) : otherwise;
  }

  private long optionalLong(int attribute) {
    return attributes.containsKey(attribute) ? big(bytes(attribute), 8) : 0;
  }

  private static long big(NftData bytes, int length) {
    if (bytes.length() < length) {
      throw new MalformedMessageException(
          "a number of " + length + " bytes has only " + bytes.length() + " bytes");
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = value << 8 | (bytes.at(i) & 0xff);
    }
    return value;
  }

  private String text(int attribute) {
    byte[] bytes = bytes(attribute).array();
    int zero = 0;
    while (zero < bytes.length && bytes[zero] != 0) {
      zero++;
    }
    return new String(bytes, 0, zero, java.nio.charset.StandardCharsets.UTF_8);
  }

  /// The value inside nested data.
  static NftData value(NftData nested) {
    NetlinkAttributeReader data = NetlinkAttributeReader.of(nested.array());
    while (data.next()) {
      if (data.type() == NftConstants.DATA_VALUE) {
        return NftData.wrap(data.bytes());
      }
    }
    throw new MalformedMessageException("data without a value");
  }

  /// The verdict inside nested data.
  static NftVerdict verdict(NftData nested) {
    NetlinkAttributeReader data = NetlinkAttributeReader.of(nested.array());
    while (data.next()) {
      if (data.type() == NftConstants.DATA_VERDICT) {
        return verdict(data.nested());
      }
    }
    throw new MalformedMessageException("data without a verdict");
  }

  /// The verdict whose attributes these are.
  static NftVerdict verdict(NetlinkAttributeReader inner) {
    int code = 0;
    String chain = "";
    while (inner.next()) {
      switch (inner.type()) {
        case NftConstants.VERDICT_CODE -> code = inner.be32();
        case NftConstants.VERDICT_CHAIN -> chain = inner.string();
        default -> {}
      }
    }
    return new NftVerdict(code, chain);
  }
}
