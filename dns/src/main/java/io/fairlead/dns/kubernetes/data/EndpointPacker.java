package io.fairlead.dns.kubernetes.data;

import io.fairlead.dns.wire.Name;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Packs the endpoints of a Service's slices.
final class EndpointPacker {
  private record Row(EndpointFacts endpoint, int portSet) {}

  private static final int MOST_PORT_SETS = 127;
  private static final byte[] NONE = {};

  private EndpointPacker() {}

  static PackedEndpoints pack(List<SliceFacts> slices, boolean zones) {
    List<List<PortFacts>> portSets = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    int ipv4 = gather(slices, true, rows, portSets);
    gather(slices, false, rows, portSets);
    if (rows.isEmpty()) {
      return PackedEndpoints.NONE;
    }
    ByteArrayOutputStream ipv4Addresses = new ByteArrayOutputStream();
    ByteArrayOutputStream ipv6Addresses = new ByteArrayOutputStream();
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    int[] nameAt = new int[rows.size() + 1];
    byte[] portSet = new byte[rows.size()];
    String[] zone = new String[rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      EndpointFacts endpoint = rows.get(i).endpoint();
      (i < ipv4 ? ipv4Addresses : ipv6Addresses).writeBytes(endpoint.address().toBytes());
      names.writeBytes(wire(endpoint));
      nameAt[i + 1] = names.size();
      portSet[i] = (byte) rows.get(i).portSet();
      zone[i] = endpoint.zone();
    }
    byte[] allNames = names.toByteArray();
    int[] heads = new int[Integer.highestOneBit(rows.size() * 2) * 2];
    int[] next = chain(allNames, nameAt, heads);
    return new PackedEndpoints(
        ipv4,
        bytes(ipv4Addresses),
        bytes(ipv6Addresses),
        allNames,
        nameAt,
        heads,
        next,
        portSets.size() > 1 ? portSet : null,
        portSets,
        zones ? zone : null);
  }

  /// Most Services have one family only: the other shares one empty array.
  private static byte[] bytes(ByteArrayOutputStream out) {
    return out.size() == 0 ? NONE : out.toByteArray();
  }

  private static int gather(
      List<SliceFacts> slices, boolean ipv4, List<Row> rows, List<List<PortFacts>> portSets) {
    for (SliceFacts slice : slices) {
      for (EndpointFacts endpoint : slice.endpoints()) {
        if (endpoint.address().isIpv4() == ipv4 && wire(endpoint).length > 0) {
          rows.add(new Row(endpoint, number(portSets, slice.ports())));
        }
      }
    }
    return rows.size();
  }

  private static int number(List<List<PortFacts>> portSets, List<PortFacts> ports) {
    int known = portSets.indexOf(ports);
    if (known >= 0) {
      return known;
    }
    if (portSets.size() == MOST_PORT_SETS) {
      return MOST_PORT_SETS - 1;
    }
    portSets.add(ports);
    return portSets.size() - 1;
  }

  /// The labels of an endpoint's name; none when it cannot be a name.
  private static byte[] wire(EndpointFacts endpoint) {
    Name name = Name.parseOrNull(endpoint.label());
    return name == null ? new byte[0] : Arrays.copyOf(name.toWire(), name.length() - 1);
  }

  /// Fills the table of heads. Null when no name occurs twice, which is the usual case.
  private static int @Nullable [] chain(byte[] names, int[] nameAt, int[] heads) {
    int count = nameAt.length - 1;
    int mask = heads.length - 1;
    int[] next = new int[count];
    int[] last = new int[count];
    Arrays.fill(next, -1);
    boolean shared = false;
    for (int entry = 0; entry < count; entry++) {
      int from = nameAt[entry];
      int length = nameAt[entry + 1] - from;
      last[entry] = entry;
      for (int i = PackedEndpoints.slot(names, from, length) & mask; ; i = (i + 1) & mask) {
        if (heads[i] == 0) {
          heads[i] = entry + 1;
          break;
        }
        int head = heads[i] - 1;
        if (nameAt[head + 1] - nameAt[head] == length
            && Name.same(names, nameAt[head], names, from, length)) {
          next[last[head]] = entry;
          last[head] = entry;
          shared = true;
          break;
        }
      }
    }
    return shared ? next : null;
  }
}
