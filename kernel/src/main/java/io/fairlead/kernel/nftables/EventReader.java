package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.Attributes;
import io.fairlead.kernel.netlink.Messages;
import io.fairlead.kernel.netlink.Netlink;
import org.jspecify.annotations.Nullable;

/// Reads what the kernel tells its listeners.
final class EventReader {
  private static final int HEADER = 4;
  private static final int TRACE_TABLE = 1;
  private static final int TRACE_CHAIN = 2;
  private static final int TRACE_RULE = 3;
  private static final int TRACE_TYPE = 4;
  private static final int TRACE_VERDICT = 5;
  private static final int TRACE_ID = 6;
  private static final int TRACE_NETWORK = 8;
  private static final int TRACE_TRANSPORT = 9;
  private static final int TRACE_MARK = 14;

  private EventReader() {}

  /// Null for a message of another subsystem.
  static @Nullable Event read(Messages message) {
    if (message.subsystem() != Netlink.SUBSYSTEM_NFTABLES) {
      return null;
    }
    return switch (message.operation()) {
      case Numbers.NEW_GENERATION -> committed(message);
      case Numbers.TRACE -> traced(message);
      case Numbers.NEW_TABLE -> changed(message, Event.What.TABLE, false);
      case Numbers.DELETE_TABLE -> changed(message, Event.What.TABLE, true);
      case Numbers.NEW_CHAIN -> changed(message, Event.What.CHAIN, false);
      case Numbers.DELETE_CHAIN -> changed(message, Event.What.CHAIN, true);
      case Numbers.NEW_RULE -> changed(message, Event.What.RULE, false);
      case Numbers.DELETE_RULE -> changed(message, Event.What.RULE, true);
      case Numbers.NEW_SET -> changed(message, Event.What.SET, false);
      case Numbers.DELETE_SET -> changed(message, Event.What.SET, true);
      case Numbers.NEW_ELEMENT -> changed(message, Event.What.ELEMENT, false);
      case Numbers.DELETE_ELEMENT -> changed(message, Event.What.ELEMENT, true);
      default -> changed(message, Event.What.OTHER, false);
    };
  }

  /// The table's name is attribute 1 of all these messages.
  private static Event changed(Messages message, Event.What what, boolean deleted) {
    return new Event.Changed(
        ObjectReader.table(message), what, name(message, what), deleted, message.port());
  }

  private static String name(Messages message, Event.What what) {
    int type =
        switch (what) {
          case CHAIN -> Numbers.CHAIN_NAME;
          case RULE -> Numbers.RULE_CHAIN;
          case SET, ELEMENT -> Numbers.SET_NAME;
          case TABLE, OTHER -> 0;
        };
    Attributes attributes = message.attributes(HEADER);
    while (type != 0 && attributes.next()) {
      if (attributes.type() == type) {
        return attributes.string();
      }
    }
    return "";
  }

  private static Event committed(Messages message) {
    Attributes attributes = message.attributes(HEADER);
    int generation = 0;
    int process = 0;
    String name = "";
    while (attributes.next()) {
      switch (attributes.type()) {
        case Numbers.GENERATION_ID -> generation = attributes.be32();
        case Numbers.GENERATION_PROCESS -> process = attributes.be32();
        case Numbers.GENERATION_NAME -> name = attributes.string();
        default -> {}
      }
    }
    return new Event.Committed(generation, process, name, message.port());
  }

  private static Event traced(Messages message) {
    Attributes attributes = message.attributes(HEADER);
    String table = "";
    String chain = "";
    long rule = 0;
    int packet = 0;
    int type = 0;
    int mark = 0;
    Verdict verdict = new Verdict(-1, "");
    Bytes network = Bytes.EMPTY;
    Bytes transport = Bytes.EMPTY;
    while (attributes.next()) {
      switch (attributes.type()) {
        case TRACE_TABLE -> table = attributes.string();
        case TRACE_CHAIN -> chain = attributes.string();
        case TRACE_RULE -> rule = attributes.be64();
        case TRACE_TYPE -> type = attributes.be32();
        case TRACE_ID -> packet = attributes.be32();
        case TRACE_MARK -> mark = attributes.be32();
        case TRACE_NETWORK -> network = Bytes.wrap(attributes.bytes());
        case TRACE_TRANSPORT -> transport = Bytes.wrap(attributes.bytes());
        case TRACE_VERDICT -> verdict = ExpressionReader.verdict(attributes.nested());
        default -> {}
      }
    }
    String word =
        switch (type) {
          case 1 -> "policy";
          case 2 -> "return";
          case 3 -> "rule";
          default -> "unknown";
        };
    return new Event.Traced(
        new Table(Family.of(message.headerByte(0)), table),
        chain,
        rule,
        packet,
        word,
        verdict,
        mark,
        network,
        transport);
  }
}
