package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.DataType;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.proxy.core.Protocol;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The table of one family: names, types of its sets and maps, and how keys and values are written.
final class NftablesTableLayout {
  /// The only table this mode ever touches.
  static final String TABLE_NAME = "fairlead-proxy";

  private static final long AFFINITY_TIMEOUT_MILLIS = 10_800_000;
  private static final int AFFINITY_MOST = 1 << 20;

  private final IpAddress.Family family;
  private final Table table;
  private final Map<ProxySet, SetSpecification> sets = new EnumMap<>(ProxySet.class);

  NftablesTableLayout(IpAddress.Family family) {
    this.family = family;
    this.table = new Table(ipv4() ? NftFamily.IP : NftFamily.IP6, TABLE_NAME);
    for (ProxySet container : ProxySet.values()) {
      sets.put(container, specification(container));
    }
  }

  boolean ipv4() {
    return family == IpAddress.Family.IPV4;
  }

  Table table() {
    return table;
  }

  SetSpecification set(ProxySet container) {
    SetSpecification set = sets.get(container);
    if (set == null) {
      throw new IllegalArgumentException(container.name());
    }
    return set;
  }

  DataType address() {
    return ipv4() ? DataType.IPV4_ADDRESS : DataType.IPV6_ADDRESS;
  }

  private SetSpecification specification(ProxySet container) {
    String name = container.setName();
    String comment = container.comment();
    List<DataType> front = List.of(address(), DataType.PROTOCOL, DataType.PORT);
    List<DataType> nodePort = List.of(DataType.PROTOCOL, DataType.PORT);
    List<DataType> number = List.of(DataType.CLASS);
    List<DataType> endpoint = List.of(address(), DataType.PORT);
    return switch (container) {
      case FRONTS -> SetSpecification.map(name, front, number, comment).withCounter();
      case INSIDE, OUTSIDE -> SetSpecification.map(name, front, number, comment);
      case ENDPOINTS -> SetSpecification.map(name, join(front, number), endpoint, comment);
      case STICKY_SLOTS -> SetSpecification.map(name, join(front, number), number, comment);
      case NODE_PORTS -> SetSpecification.map(name, nodePort, number, comment).withCounter();
      case NODE_PORT_INSIDE, NODE_PORT_OUTSIDE ->
          SetSpecification.map(name, nodePort, number, comment);
      case NODE_PORT_ENDPOINTS ->
          SetSpecification.map(name, join(nodePort, number), endpoint, comment);
      case NODE_PORT_STICKY_SLOTS ->
          SetSpecification.map(name, join(nodePort, number), number, comment);
      case SOURCES ->
          SetSpecification.set(name, join(List.of(address()), front), comment).withInterval();
      case CLUSTER_IPS, NODE_PORT_IPS -> SetSpecification.set(name, List.of(address()), comment);
      case HAIRPIN -> SetSpecification.set(name, List.of(address(), address()), comment);
      case ACTIONS, LEAVES -> SetSpecification.verdictMap(name, number, comment);
      case AFFINITY ->
          SetSpecification.map(name, join(List.of(address()), front), number, comment)
              .withTimeout(AFFINITY_TIMEOUT_MILLIS, AFFINITY_MOST);
    };
  }

  private static List<DataType> join(List<DataType> first, List<DataType> then) {
    return Stream.concat(first.stream(), then.stream()).toList();
  }

  /// The key of a front with an address.
  static NftData front(IpAddress address, Protocol protocol, int port) {
    byte[] bytes = address.toBytes();
    byte[] key = new byte[bytes.length + 8];
    System.arraycopy(bytes, 0, key, 0, bytes.length);
    protocolAndPort(key, bytes.length, protocol, port);
    return NftData.wrap(key);
  }

  /// The key of a node port.
  static NftData nodePort(Protocol protocol, int port) {
    byte[] key = new byte[8];
    protocolAndPort(key, 0, protocol, port);
    return NftData.wrap(key);
  }

  private static void protocolAndPort(byte[] key, int at, Protocol protocol, int port) {
    key[at] = (byte) protocol.number();
    key[at + 4] = (byte) (port >> 8);
    key[at + 5] = (byte) port;
  }

  static NftData address(IpAddress address) {
    return NftData.wrap(address.toBytes());
  }

  /// The value of an endpoint.
  static NftData endpoint(IpAddress address, int port) {
    byte[] bytes = address.toBytes();
    byte[] value = java.util.Arrays.copyOf(bytes, bytes.length + 4);
    value[bytes.length] = (byte) (port >> 8);
    value[bytes.length + 1] = (byte) port;
    return NftData.wrap(value);
  }
}
