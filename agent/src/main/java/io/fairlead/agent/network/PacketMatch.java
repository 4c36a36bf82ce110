package io.fairlead.agent.network;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Expression.AddressKind;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Compare.Operation;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.Payload;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import java.util.List;

/// Beginnings of rules: what a packet must be for the rule to go on. Pure.
final class PacketMatch {
  private static final int DESTINATION_PORT = 2;

  private PacketMatch() {}

  static NftFamily family(IpAddress.Family family) {
    return family == IpAddress.Family.IPV4 ? NftFamily.IP : NftFamily.IP6;
  }

  /// The packet's source or destination lies in the range.
  static List<Expression> inside(Cidr range, boolean source) {
    boolean small = range.address().isIpv4();
    int length = small ? 4 : 16;
    int offset = small ? (source ? 12 : 16) : source ? 8 : 24;
    byte[] mask = new byte[length];
    for (int bit = 0; bit < range.prefixLength(); bit++) {
      mask[bit / 8] |= (byte) (0x80 >> bit % 8);
    }
    return List.of(
        new Payload(Payload.NETWORK, offset, length, 0),
        new Expression.Bitwise(0, 0, NftData.wrap(mask), NftData.wrap(new byte[length])),
        new Compare(0, Operation.EQUAL, NftData.wrap(range.masked().address().toBytes())));
  }

  /// It is meant for this machine.
  static List<Expression> forThisMachine() {
    return List.of(
        new AddressKind(false, 0),
        new Compare(0, Operation.EQUAL, NftData.host32(AddressKind.LOCAL)));
  }

  /// @param protocol its number, 6 for TCP
  static List<Expression> toPort(int protocol, int port) {
    return List.of(
        new Meta(Meta.TRANSPORT_PROTOCOL, 0),
        new Compare(0, Operation.EQUAL, NftData.wrap(new byte[] {(byte) protocol})),
        new Payload(Payload.TRANSPORT, DESTINATION_PORT, 2, 0),
        new Compare(0, Operation.EQUAL, port(port)));
  }

  static NftData port(int port) {
    return NftData.wrap(new byte[] {(byte) (port >> 8), (byte) port});
  }
}
