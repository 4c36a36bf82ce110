package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.Attributes;
import io.fairlead.kernel.netlink.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads what the kernel lists: the opposite of {@link Transaction}.
final class ObjectReader {
  private static final int HEADER = 4;

  private ObjectReader() {}

  static Table table(Messages message) {
    Attributes attributes = message.attributes(HEADER);
    String name = "";
    while (attributes.next()) {
      if (attributes.type() == Numbers.TABLE_NAME) {
        name = attributes.string();
      }
    }
    return new Table(Family.of(message.headerByte(0)), name);
  }

  /// A chain, or null when it belongs to another table.
  static @Nullable Chain chain(Messages message, Table table) {
    Attributes attributes = message.attributes(HEADER);
    String name = "";
    String comment = "";
    String type = "";
    int number = -1;
    int priority = 0;
    while (attributes.next()) {
      switch (attributes.type()) {
        case Numbers.CHAIN_TABLE -> {
          if (!attributes.string().equals(table.name())) {
            return null;
          }
        }
        case Numbers.CHAIN_NAME -> name = attributes.string();
        case Numbers.CHAIN_TYPE -> type = attributes.string();
        case Numbers.CHAIN_USERDATA ->
            comment = Userdata.comment(Userdata.COMMENT, attributes.bytes());
        case Numbers.CHAIN_HOOK -> {
          Attributes hook = attributes.nested();
          while (hook.next()) {
            switch (hook.type()) {
              case Numbers.HOOK_NUMBER -> number = hook.be32();
              case Numbers.HOOK_PRIORITY -> priority = hook.be32();
              default -> {}
            }
          }
        }
        default -> {}
      }
    }
    return new Chain(name, number < 0 ? null : new Hook(type, number, priority), comment);
  }

  /// A rule with the chain it is in.
  static ListedRule rule(Messages message) {
    Attributes attributes = message.attributes(HEADER);
    String table = "";
    String chain = "";
    String comment = "";
    long handle = 0;
    List<Expression> expressions = new ArrayList<>();
    while (attributes.next()) {
      switch (attributes.type()) {
        case Numbers.RULE_TABLE -> table = attributes.string();
        case Numbers.RULE_CHAIN -> chain = attributes.string();
        case Numbers.RULE_HANDLE -> handle = attributes.be64();
        case Numbers.RULE_EXPRESSIONS -> {
          Attributes list = attributes.nested();
          while (list.next()) {
            expressions.add(ExpressionReader.read(list.nested()));
          }
        }
        case Numbers.RULE_USERDATA ->
            comment = Userdata.comment(Userdata.COMMENT, attributes.bytes());
        default -> {}
      }
    }
    return new ListedRule(table, chain, handle, new Rule(expressions, comment));
  }

  /// A set, or null when it belongs to another table or has a make this program does not use.
  static @Nullable SetSpecification set(Messages message, Table table) {
    Attributes attributes = message.attributes(HEADER);
    SetFields fields = new SetFields();
    while (attributes.next()) {
      if (attributes.type() == Numbers.SET_TABLE && !attributes.string().equals(table.name())) {
        return null;
      }
      fields.read(attributes);
    }
    return fields.specification();
  }

  /// The elements of one message; the list goes on in the next.
  static void elements(Messages message, Consumer<Element> each) {
    Attributes attributes = message.attributes(HEADER);
    while (attributes.next()) {
      if (attributes.type() == Numbers.ELEMENTS_LIST) {
        Attributes list = attributes.nested();
        while (list.next()) {
          each.accept(element(list.nested()));
        }
      }
    }
  }

  private static Element element(Attributes attributes) {
    Bytes key = Bytes.EMPTY;
    Bytes keyEnd = null;
    Bytes value = null;
    Verdict verdict = null;
    long timeout = 0;
    long packets = -1;
    long bytes = 0;
    String comment = "";
    while (attributes.next()) {
      switch (attributes.type()) {
        case Numbers.ELEMENT_KEY -> key = value(attributes.nested());
        case Numbers.ELEMENT_KEY_END -> keyEnd = value(attributes.nested());
        case Numbers.ELEMENT_DATA -> {
          Bytes nested = Bytes.wrap(attributes.bytes());
          if (isVerdict(attributes.nested())) {
            verdict = ExpressionReader.verdict(nested);
          } else {
            value = ExpressionReader.value(nested);
          }
        }
        case Numbers.ELEMENT_TIMEOUT -> timeout = attributes.be64();
        case Numbers.ELEMENT_USERDATA ->
            comment = Userdata.comment(Userdata.COMMENT, attributes.bytes());
        case Numbers.ELEMENT_EXPRESSION -> {
          if (ExpressionReader.read(attributes.nested()) instanceof Expression.Counter counter) {
            packets = counter.packets();
            bytes = counter.bytes();
          }
        }
        default -> {}
      }
    }
    return new Element(key, keyEnd, value, verdict, timeout, packets, bytes, comment);
  }

  private static Bytes value(Attributes data) {
    while (data.next()) {
      if (data.type() == Numbers.DATA_VALUE) {
        return Bytes.wrap(data.bytes());
      }
    }
    return Bytes.EMPTY;
  }

  private static boolean isVerdict(Attributes data) {
    return data.next() && data.type() == Numbers.DATA_VERDICT;
  }
}
