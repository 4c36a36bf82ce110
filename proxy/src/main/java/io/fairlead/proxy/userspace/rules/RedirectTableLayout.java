package io.fairlead.proxy.userspace.rules;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.DataType;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The table of one family: names, types of its sets and maps, and how keys and values are written.
final class RedirectTableLayout {
  /// The only table this mode ever touches.
  static final String TABLE_NAME = "fairlead-userspace";

  private static final int FIELD = 4;

  private final Table table;
  private final Map<RedirectSet, SetSpecification> sets = new EnumMap<>(RedirectSet.class);

  RedirectTableLayout(IpAddress.Family family) {
    boolean ipv4 = family == IpAddress.Family.IPV4;
    this.table = new Table(ipv4 ? NftFamily.IP : NftFamily.IP6, TABLE_NAME);
    DataType address = ipv4 ? DataType.IPV4_ADDRESS : DataType.IPV6_ADDRESS;
    for (RedirectSet container : RedirectSet.values()) {
      sets.put(container, specification(container, address));
    }
  }

  Table table() {
    return table;
  }

  SetSpecification set(RedirectSet container) {
    SetSpecification set = sets.get(container);
    if (set == null) {
      throw new IllegalArgumentException(container.name());
    }
    return set;
  }

  private static SetSpecification specification(RedirectSet container, DataType address) {
    String name = container.setName();
    String comment = container.comment();
    List<DataType> front = List.of(address, DataType.PROTOCOL, DataType.PORT);
    List<DataType> nodePort = List.of(DataType.PROTOCOL, DataType.PORT);
    List<DataType> listener = List.of(address, DataType.PORT);
    return switch (container) {
      case PORTALS, INSIDE -> SetSpecification.map(name, front, listener, comment);
      case NODE_PORTS, NODE_PORT_INSIDE -> SetSpecification.map(name, nodePort, listener, comment);
      case LISTENERS, REFUSED, DROPPED, RESTRICTED -> SetSpecification.set(name, front, comment);
      case NODE_PORT_REFUSED, NODE_PORT_DROPPED -> SetSpecification.set(name, nodePort, comment);
      case SOURCES ->
          SetSpecification.set(
                  name, Stream.concat(Stream.of(address), front.stream()).toList(), comment)
              .withInterval();
      case CLUSTER_IPS, NODE_PORT_IPS -> SetSpecification.set(name, List.of(address), comment);
    };
  }

  /// The key of a destination.
  static NftData key(RedirectRoute.Destination destination) {
    IpAddress address = destination.address();
    byte[] bytes = address == null ? new byte[0] : address.toBytes();
    byte[] key = Arrays.copyOf(bytes, bytes.length + 2 * FIELD);
    key[bytes.length] = (byte) destination.protocol().number();
    port(key, bytes.length + FIELD, destination.port());
    return NftData.wrap(key);
  }

  /// The value of a listener.
  static NftData value(RedirectRoute.Socket listener) {
    byte[] bytes = listener.address().toBytes();
    byte[] value = Arrays.copyOf(bytes, bytes.length + FIELD);
    port(value, bytes.length, listener.port());
    return NftData.wrap(value);
  }

  private static void port(byte[] into, int at, int port) {
    into[at] = (byte) (port >> 8);
    into[at + 1] = (byte) port;
  }

  static NftData address(IpAddress address) {
    return NftData.wrap(address.toBytes());
  }
}
