package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import org.jspecify.annotations.Nullable;

/// Reads what the kernel reports to its listeners.
final class NftEventReader {
  private static final int HEADER = 4;
  private static final int TRACE_TABLE = 1;
  private static final int TRACE_CHAIN = 2;
  private static final int TRACE_RULE = 3;
  private static final int TRACE_TYPE = 4;
  private static final int TRACE_VERDICT = 5;
  private static final int TRACE_ID = 6;
  private static final int TRACE_NETWORK = 8;
  private static final int TRACE_TRANSPORT = 9;
  private static final int TRACE_INPUT = 10;
  private static final int TRACE_OUTPUT = 12;
  private static final int TRACE_MARK = 14;
  private static final int TRACE_POLICY = 16;
  private static final int TRACE_CONNECTION_ID = 18;
  private static final int TRACE_CONNECTION_DIRECTION = 19;
  private static final int TRACE_CONNECTION_STATUS = 20;
  private static final int POLICY = 1;

  private NftEventReader() {}

  /// Null for a message of another subsystem.
  static @Nullable NftEvent read(NetlinkMessageReader message) {
    if (message.subsystem() != NetlinkConstants.SUBSYSTEM_NFTABLES) {
      return null;
    }
    return switch (message.operation()) {
      case NftConstants.NEW_GENERATION -> committed(message);
      case NftConstants.TRACE -> traced(message);
      case NftConstants.NEW_TABLE -> changed(message, NftEvent.ObjectKind.TABLE, false);
      case NftConstants.DELETE_TABLE -> changed(message, NftEvent.ObjectKind.TABLE, true);
      case NftConstants.NEW_CHAIN -> changed(message, NftEvent.ObjectKind.CHAIN, false);
      case NftConstants.DELETE_CHAIN -> changed(message, NftEvent.ObjectKind.CHAIN, true);
      case NftConstants.NEW_RULE -> changed(message, NftEvent.ObjectKind.RULE, false);
      case NftConstants.DELETE_RULE -> changed(message, NftEvent.ObjectKind.RULE, true);
      case NftConstants.NEW_SET -> changed(message, NftEvent.ObjectKind.SET, false);
      case NftConstants.DELETE_SET -> changed(message, NftEvent.ObjectKind.SET, true);
      case NftConstants.NEW_ELEMENT -> changed(message, NftEvent.ObjectKind.ELEMENT, false);
      case NftConstants.DELETE_ELEMENT -> changed(message, NftEvent.ObjectKind.ELEMENT, true);
      default -> changed(message, NftEvent.ObjectKind.OTHER, false);
    };
  }

  /// The table's name is attribute 1 of all these messages.
  private static NftEvent changed(
      NetlinkMessageReader message, NftEvent.ObjectKind what, boolean deleted) {
    return new NftEvent.Changed(
        NftObjectReader.table(message), what, name(message, what), deleted, message.port());
  }

  private static String name(NetlinkMessageReader message, NftEvent.ObjectKind what) {
    int type =
        switch (what) {
          case CHAIN -> NftConstants.CHAIN_NAME;
          case RULE -> NftConstants.RULE_CHAIN;
          case SET, ELEMENT -> NftConstants.SET_NAME;
          case TABLE, OTHER -> 0;
        };
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    while (type != 0 && attributes.next()) {
      if (attributes.type() == type) {
        return attributes.string();
      }
    }
    return "";
  }

  private static NftEvent committed(NetlinkMessageReader message) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    int generation = 0;
    int process = 0;
    String name = "";
    while (attributes.next()) {
      switch (attributes.type()) {
        case NftConstants.GENERATION_ID -> generation = attributes.be32();
        case NftConstants.GENERATION_PROCESS -> process = attributes.be32();
        case NftConstants.GENERATION_NAME -> name = attributes.string();
        default -> {}
      }
    }
    return new NftEvent.Committed(generation, process, name, message.port());
  }

  private static NftEvent traced(NetlinkMessageReader message) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    String table = "";
    String chain = "";
    long rule = 0;
    int packet = 0;
    int type = 0;
    int mark = 0;
    int input = 0;
    int output = 0;
    int policy = 0;
    boolean tracked = false;
    int connection = 0;
    boolean reply = false;
    int status = 0;
    NftVerdict verdict = new NftVerdict(-1, "");
    NftData network = NftData.EMPTY;
    NftData transport = NftData.EMPTY;
    while (attributes.next()) {
      switch (attributes.type()) {
        case TRACE_TABLE -> table = attributes.string();
        case TRACE_CHAIN -> chain = attributes.string();
        case TRACE_RULE -> rule = attributes.be64();
        case TRACE_TYPE -> type = attributes.be32();
        case TRACE_ID -> packet = attributes.be32();
        case TRACE_MARK -> mark = attributes.be32();
        case TRACE_INPUT -> input = attributes.be32();
        case TRACE_OUTPUT -> output = attributes.be32();
        case TRACE_POLICY -> policy = attributes.be32();
        case TRACE_CONNECTION_ID -> {
          tracked = true;
          connection = attributes.be32();
        }
        case TRACE_CONNECTION_DIRECTION -> reply = attributes.u8() != 0;
        case TRACE_CONNECTION_STATUS -> status = attributes.be32();
        case TRACE_NETWORK -> network = NftData.wrap(attributes.bytes());
        case TRACE_TRANSPORT -> transport = NftData.wrap(attributes.bytes());
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
    return new NftEvent.Traced(
        new Table(NftFamily.of(message.headerByte(0)), table),
        chain,
        rule,
        packet,
        word,
        type == POLICY ? new NftVerdict(policy, "") : verdict,
        mark,
        input,
        output,
        network,
        transport,
        tracked ? new NftEvent.TracedConnection(connection, reply, status) : null);
  }
}
