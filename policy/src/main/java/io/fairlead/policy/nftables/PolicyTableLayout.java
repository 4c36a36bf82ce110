package io.fairlead.policy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.DataType;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.policy.core.Grant;
import io.fairlead.policy.core.PlanKey;
import io.fairlead.policy.core.PlanValue;
import io.fairlead.policy.core.PolicySet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The table of one family: names, types of its sets, and how keys and values are written.
///
/// Numbers travel between rules in the packet's priority. The high byte says that it is ours; `nft`
/// shows `f200:5`.
public final class PolicyTableLayout {
  /// The name of both tables.
  public static final String NAME = "fairlead-policy";

  public static final String LOG_PREFIX = NAME + " ";
  static final String LOG_PACE = "log-pace";
  static final int TAG = 0xf2000000;

  private static final int NUMBER = 0x00ffffff;
  private static final long PACE_MILLIS = 60_000;
  private static final int PACE_SIZE = 4096;
  private static final int MAX_COMMENT = 128;

  private final boolean ipv4;
  private final Table table;
  private final Map<PolicySet, SetSpecification> sets = new EnumMap<>(PolicySet.class);
  private final SetSpecification pace;

  PolicyTableLayout(IpAddress.Family family) {
    this.ipv4 = family == IpAddress.Family.IPV4;
    this.table = new Table(ipv4 ? NftFamily.IP : NftFamily.IP6, NAME);
    DataType address = ipv4 ? DataType.IPV4_ADDRESS : DataType.IPV6_ADDRESS;
    for (PolicySet set : PolicySet.values()) {
      sets.put(set, specification(set, address));
    }
    this.pace =
        SetSpecification.set(LOG_PACE, List.of(address, address), "")
            .withTimeout(PACE_MILLIS, PACE_SIZE);
  }

  private static SetSpecification specification(PolicySet set, DataType address) {
    String name = set.setName();
    List<DataType> number = List.of(DataType.CLASS);
    List<DataType> ports = List.of(DataType.CLASS, DataType.PROTOCOL, DataType.PORT);
    return switch (set) {
      case CLASSES, EGRESS_ANYONE, EGRESS_ANYPOD, INGRESS_ANYONE, INGRESS_ANYPOD ->
          SetSpecification.map(name, List.of(address), number, "");
      case BLOCKS -> SetSpecification.map(name, List.of(address), number, "").withInterval();
      case EGRESS_GRANTS, INGRESS_GRANTS ->
          SetSpecification.map(name, List.of(DataType.CLASS, address), number, "");
      case PORTS -> SetSpecification.set(name, ports, "");
      case PORT_RANGES -> SetSpecification.set(name, ports, "").withInterval();
      case PODS -> SetSpecification.set(name, List.of(address), "");
      case SELVES -> SetSpecification.set(name, List.of(address, address), "");
      case EGRESS_DROPS, INGRESS_DROPS ->
          SetSpecification.set(name, List.of(address), "").withCounter();
    };
  }

  Table table() {
    return table;
  }

  SetSpecification set(PolicySet set) {
    return java.util.Objects.requireNonNull(sets.get(set));
  }

  /// All sets, also the one that only rules fill.
  List<SetSpecification> all() {
    List<SetSpecification> all = new ArrayList<>(sets.values());
    all.add(pace);
    return all;
  }

  private static NftData address(IpAddress address) {
    return NftData.wrap(address.toBytes());
  }

  private static NftData number(int number) {
    return NftData.host32(TAG | number);
  }

  /// The elements that stand for one of a plan.
  List<SetElement> elements(PolicySet set, PlanKey key, PlanValue value) {
    boolean map = set(set).isMap();
    SetElement element =
        switch (key) {
          case PlanKey.OfAddress(IpAddress address) ->
              single(
                  set == PolicySet.SELVES
                      ? address(address).join(address(address))
                      : address(address),
                  map,
                  value);
          case PlanKey.OfPair(int number, IpAddress address) ->
              single(number(number).join(address(address)), map, value);
          case PlanKey.OfRange(IpAddress first, IpAddress _) -> single(address(first), map, value);
          case PlanKey.OfPorts(int number, Grant.Ports ports) ->
              set == PolicySet.PORTS
                  ? single(number(number).join(ports(ports, ports.first())), map, value)
                  : SetElement.range(
                      inNetworkOrder(number).join(ports(ports, ports.first())),
                      inNetworkOrder(number).join(ports(ports, ports.last())),
                      "");
        };
    SetElement named = element.named(comment(value.comment()));
    if (key instanceof PlanKey.OfRange(IpAddress _, IpAddress last) && !isLast(last)) {
      return List.of(named, SetElement.endBefore(address(last.next())));
    }
    return List.of(named);
  }

  private static SetElement single(NftData key, boolean map, PlanValue value) {
    return map ? SetElement.of(key, number(value.number())) : SetElement.of(key);
  }

  private static NftData inNetworkOrder(int number) {
    return NftData.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(TAG | number).array());
  }

  /// Protocol and port, each in a register of its own.
  private static NftData ports(Grant.Ports ports, int port) {
    return NftData.of(
        (byte) ports.protocol(),
        (byte) 0,
        (byte) 0,
        (byte) 0,
        (byte) (port >> 8),
        (byte) port,
        (byte) 0,
        (byte) 0);
  }

  private boolean isLast(IpAddress address) {
    return ipv4 ? address.low() == 0xffffffffL : address.high() == -1L && address.low() == -1L;
  }

  /// A comment as long as `nft` can print it, never cut inside a character.
  static String comment(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= MAX_COMMENT) {
      return text;
    }
    int length = MAX_COMMENT;
    while ((bytes[length] & 0xc0) == 0x80) {
      length--;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  /// What listed elements stand for.
  Map<PlanKey, PlanValue> read(PolicySet set, List<SetElement> elements) {
    return set == PolicySet.BLOCKS ? readRanges(elements) : readSingle(set, elements);
  }

  private Map<PlanKey, PlanValue> readSingle(PolicySet set, List<SetElement> elements) {
    Map<PlanKey, PlanValue> read = HashMap.newHashMap(elements.size());
    for (SetElement element : elements) {
      read.put(key(set, element), value(element));
    }
    return read;
  }

  private PlanKey key(PolicySet set, SetElement element) {
    byte[] key = element.key().toByteArray();
    int length = ipv4 ? 4 : 16;
    return switch (set) {
      case EGRESS_GRANTS, INGRESS_GRANTS ->
          new PlanKey.OfPair(
              host(key) & NUMBER,
              IpAddress.ofBytes(Arrays.copyOfRange(key, Integer.BYTES, Integer.BYTES + length)));
      case PORTS -> new PlanKey.OfPorts(host(key) & NUMBER, grantPorts(key, key));
      case PORT_RANGES -> {
        NftData end = element.keyEnd() == null ? element.key() : element.keyEnd();
        yield new PlanKey.OfPorts(
            ByteBuffer.wrap(key).getInt() & NUMBER, grantPorts(key, end.toByteArray()));
      }
      default -> new PlanKey.OfAddress(IpAddress.ofBytes(Arrays.copyOf(key, length)));
    };
  }

  private static Grant.Ports grantPorts(byte[] first, byte[] last) {
    return new Grant.Ports(first[4] & 0xff, port(first), port(last));
  }

  private static int port(byte[] key) {
    return (key[8] & 0xff) << 8 | (key[9] & 0xff);
  }

  private static int host(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
  }

  private static PlanValue value(SetElement element) {
    NftData value = element.value();
    return new PlanValue(value == null ? 0 : host(value.toByteArray()) & NUMBER, element.comment());
  }

  /// A range is its first address and, as another element, the address behind its last one. Where
  /// one ends and another begins at the same address, the end comes first.
  private Map<PlanKey, PlanValue> readRanges(List<SetElement> elements) {
    Map<PlanKey, PlanValue> read = new HashMap<>();
    List<SetElement> sorted =
        elements.stream()
            .sorted(
                Comparator.<SetElement, IpAddress>comparing(
                        element -> IpAddress.ofBytes(element.key().toByteArray()))
                    .thenComparing(element -> !element.intervalEnd()))
            .toList();
    SetElement open = null;
    for (SetElement element : sorted) {
      IpAddress at = IpAddress.ofBytes(element.key().toByteArray());
      if (open != null) {
        read.put(range(open, at.plus(-1)), value(open));
      }
      open = element.intervalEnd() ? null : element;
    }
    if (open != null) {
      read.put(
          range(open, ipv4 ? IpAddress.ipv4(0xffffffffL) : IpAddress.ipv6(-1L, -1L)), value(open));
    }
    return read;
  }

  private static PlanKey range(SetElement first, IpAddress last) {
    return new PlanKey.OfRange(IpAddress.ofBytes(first.key().toByteArray()), last);
  }
}
