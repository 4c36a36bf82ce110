package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads what the kernel lists: the opposite of {@link Transaction}.
final class NftObjectReader {
  private static final int HEADER = 4;

  private NftObjectReader() {}

  static Table table(NetlinkMessageReader message) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    String name = "";
    while (attributes.next()) {
      if (attributes.type() == NftConstants.TABLE_NAME) {
        name = attributes.string();
      }
    }
    return new Table(NftFamily.of(message.headerByte(0)), name);
  }

  /// Whether a table belongs to an open connection.
  static boolean isOwned(NetlinkMessageReader message) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    while (attributes.next()) {
      if (attributes.type() == NftConstants.TABLE_FLAGS) {
        return (attributes.be32() & NftConstants.TABLE_OWNER) != 0;
      }
    }
    return false;
  }

  /// A chain, or null when it belongs to another table.
  static @Nullable Chain chain(NetlinkMessageReader message, Table table) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    String name = "";
    String comment = "";
    String type = "";
    int number = -1;
    int priority = 0;
    while (attributes.next()) {
      switch (attributes.type()) {
        case NftConstants.CHAIN_TABLE -> {
          if (!attributes.string().equals(table.name())) {
            return null;
          }
        }
        case NftConstants.CHAIN_NAME -> name = attributes.string();
        case NftConstants.CHAIN_TYPE -> type = attributes.string();
        case NftConstants.CHAIN_USERDATA ->
            comment = Userdata.comment(Userdata.COMMENT, attributes.bytes());
        case NftConstants.CHAIN_HOOK -> {
          NetlinkAttributeReader hook = attributes.nested();
          while (hook.next()) {
            switch (hook.type()) {
              case NftConstants.HOOK_NUMBER -> number = hook.be32();
              case NftConstants.HOOK_PRIORITY -> priority = hook.be32();
              default -> {}
            }
          }
        }
        default -> {}
      }
    }
    return new Chain(name, number < 0 ? null : new Hook(type, number, priority), comment);
  }

  /// Whether a chain drops what none of its rules decides about.
  static boolean dropsByDefault(NetlinkMessageReader message) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    while (attributes.next()) {
      if (attributes.type() == NftConstants.CHAIN_POLICY) {
        return attributes.be32() == NftVerdict.DROP.code();
      }
    }
    return false;
  }

  /// A rule with the chain it is in.
  static ListedRule rule(NetlinkMessageReader message) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    String table = "";
    String chain = "";
    String comment = "";
    long handle = 0;
    List<Expression> expressions = new ArrayList<>();
    while (attributes.next()) {
      switch (attributes.type()) {
        case NftConstants.RULE_TABLE -> table = attributes.string();
        case NftConstants.RULE_CHAIN -> chain = attributes.string();
        case NftConstants.RULE_HANDLE -> handle = attributes.be64();
        case NftConstants.RULE_EXPRESSIONS -> {
          NetlinkAttributeReader list = attributes.nested();
          while (list.next()) {
            expressions.add(ExpressionReader.read(list.nested()));
          }
        }
        case NftConstants.RULE_USERDATA ->
            comment = Userdata.comment(Userdata.COMMENT, attributes.bytes());
        default -> {}
      }
    }
    return new ListedRule(table, chain, handle, new NftRule(expressions, comment));
  }

  /// A set, or null when it belongs to another table or has a make this program does not use.
  static @Nullable SetSpecification set(NetlinkMessageReader message, Table table) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    SetFields fields = new SetFields();
    while (attributes.next()) {
      if (attributes.type() == NftConstants.SET_TABLE
          && !attributes.string().equals(table.name())) {
        return null;
      }
      fields.read(attributes);
    }
    return fields.specification();
  }

  /// The elements of one message; the list goes on in the next.
  static void elements(NetlinkMessageReader message, Consumer<SetElement> each) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    while (attributes.next()) {
      if (attributes.type() == NftConstants.ELEMENTS_LIST) {
        NetlinkAttributeReader list = attributes.nested();
        while (list.next()) {
          each.accept(element(list.nested()));
        }
      }
    }
  }

  private static SetElement element(NetlinkAttributeReader attributes) {
    NftData key = NftData.EMPTY;
    NftData keyEnd = null;
    NftData value = null;
    NftVerdict verdict = null;
    long timeout = 0;
    long packets = -1;
    long bytes = 0;
    String comment = "";
    boolean intervalEnd = false;
    while (attributes.next()) {
      switch (attributes.type()) {
        case NftConstants.ELEMENT_FLAGS ->
            intervalEnd = (attributes.be32() & NftConstants.ELEMENT_INTERVAL_END) != 0;
        case NftConstants.ELEMENT_KEY -> key = value(attributes.nested());
        case NftConstants.ELEMENT_KEY_END -> keyEnd = value(attributes.nested());
        case NftConstants.ELEMENT_DATA -> {
          NftData nested = NftData.wrap(attributes.bytes());
          if (isVerdict(attributes.nested())) {
            verdict = ExpressionReader.verdict(nested);
          } else {
            value = ExpressionReader.value(nested);
          }
        }
        case NftConstants.ELEMENT_TIMEOUT -> timeout = attributes.be64();
        case NftConstants.ELEMENT_USERDATA ->
            comment = Userdata.comment(Userdata.COMMENT, attributes.bytes());
        case NftConstants.ELEMENT_EXPRESSION -> {
          if (ExpressionReader.read(attributes.nested()) instanceof Expression.Counter counter) {
            packets = counter.packets();
            bytes = counter.bytes();
          }
        }
        default -> {}
      }
    }
    return new SetElement(
        key, keyEnd, value, verdict, timeout, packets, bytes, comment, intervalEnd);
  }

  private static NftData value(NetlinkAttributeReader data) {
    while (data.next()) {
      if (data.type() == NftConstants.DATA_VALUE) {
        return NftData.wrap(data.bytes());
      }
    }
    return NftData.EMPTY;
  }

  private static boolean isVerdict(NetlinkAttributeReader data) {
    return data.next() && data.type() == NftConstants.DATA_VERDICT;
  }
}
