package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.wire.Name;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ready endpoints of one Service, packed into arrays: addresses of IPv4 first, then of IPv6,
/// each in the order of the slices. An address that two slices list is there twice, because SRV
/// weights count it twice (spec/dns.md 1.3). Immutable.
///
/// How it works: names lie one behind the other in wire form. Entries of the same name are a chain
/// that begins at the first of them, its head; a small hash table leads from a name to its head.
public final class PackedEndpoints {
  public static final PackedEndpoints NONE =
      new PackedEndpoints(
          0,
          new byte[0],
          new byte[0],
          new byte[0],
          new int[1],
          new int[2],
          null,
          null,
          List.of(),
          null);

  private final int ipv4;
  private final byte[] ipv4Addresses;
  private final byte[] ipv6Addresses;
  private final byte[] names;
  private final int[] nameAt;
  private final int[] heads;
  // Null when no two entries share a name.
  private final int @Nullable [] next;
  // Null when all slices have the same ports.
  private final byte @Nullable [] portSet;
  private final List<List<PortFacts>> portSets;
  // Null when zones are not kept.
  private final String @Nullable [] zones;

  PackedEndpoints(
      int ipv4,
      byte[] ipv4Addresses,
      byte[] ipv6Addresses,
      byte[] names,
      int[] nameAt,
      int[] heads,
      int @Nullable [] next,
      byte @Nullable [] portSet,
      List<List<PortFacts>> portSets,
      String @Nullable [] zones) {
    this.ipv4 = ipv4;
    this.ipv4Addresses = ipv4Addresses;
    this.ipv6Addresses = ipv6Addresses;
    this.names = names;
    this.nameAt = nameAt;
    this.heads = heads;
    this.next = next;
    this.portSet = portSet;
    this.portSets = List.copyOf(portSets);
    this.zones = zones;
  }

  public int size() {
    return nameAt.length - 1;
  }

  public boolean isIpv4(int entry) {
    return entry < ipv4;
  }

  /// The first entry of an IPv6 address.
  public int firstIpv6() {
    return ipv4;
  }

  /// Copies an entry's address.
  public void copyAddress(int entry, byte[] target, int at) {
    if (entry < ipv4) {
      System.arraycopy(ipv4Addresses, entry * 4, target, at, 4);
    } else {
      System.arraycopy(ipv6Addresses, (entry - ipv4) * 16, target, at, 16);
    }
  }

  public IpAddress address(int entry) {
    byte[] bytes = new byte[isIpv4(entry) ? 4 : 16];
    copyAddress(entry, bytes, 0);
    return IpAddress.ofBytes(bytes);
  }

  public boolean sameAddress(int left, int right) {
    if (isIpv4(left) != isIpv4(right)) {
      return false;
    }
    int size = isIpv4(left) ? 4 : 16;
    byte[] from = isIpv4(left) ? ipv4Addresses : ipv6Addresses;
    int leftAt = (isIpv4(left) ? left : left - ipv4) * size;
    int rightAt = (isIpv4(left) ? right : right - ipv4) * size;
    return Arrays.equals(from, leftAt, leftAt + size, from, rightAt, rightAt + size);
  }

  /// How long an entry's name is in wire form, without a root. Usually one label; a pod name with
  /// dots is several.
  public int nameLength(int entry) {
    return nameAt[entry + 1] - nameAt[entry];
  }

  public void copyName(int entry, byte[] target, int at) {
    System.arraycopy(names, nameAt[entry], target, at, nameLength(entry));
  }

  /// The ports of an entry's slice.
  public List<PortFacts> ports(int entry) {
    return portSets.get(portSet == null ? 0 : portSet[entry]);
  }

  /// All port lists there are.
  public List<List<PortFacts>> portSets() {
    return portSets;
  }

  public String zone(int entry) {
    return zones == null ? "" : zones[entry];
  }

  /// The first entry of that name, one label with its length in front; -1 when there is none.
  public int find(byte[] bytes, int from) {
    int length = bytes[from] + 1;
    int mask = heads.length - 1;
    for (int i = slot(bytes, from, length) & mask; heads[i] != 0; i = (i + 1) & mask) {
      int entry = heads[i] - 1;
      if (nameLength(entry) == length && Name.same(bytes, from, names, nameAt[entry], length)) {
        return entry;
      }
    }
    return -1;
  }

  /// Whether it is the first of its name.
  public boolean isHead(int entry) {
    return next == null || head(entry) == entry;
  }

  /// The first entry of the same name.
  public int head(int entry) {
    if (next == null) {
      return entry;
    }
    int mask = heads.length - 1;
    int from = nameAt[entry];
    int length = nameLength(entry);
    for (int i = slot(names, from, length) & mask; ; i = (i + 1) & mask) {
      int head = heads[i] - 1;
      if (nameLength(head) == length && Name.same(names, from, names, nameAt[head], length)) {
        return head;
      }
    }
  }

  /// The next entry of the same name; -1 after the last.
  public int next(int entry) {
    return next == null ? -1 : next[entry];
  }

  static int slot(byte[] bytes, int from, int length) {
    int hash = Name.hash(bytes, from, length) * 0x9e3779b9;
    return hash ^ hash >>> 15;
  }

  boolean same(PackedEndpoints other) {
    return Arrays.equals(ipv4Addresses, other.ipv4Addresses)
        && Arrays.equals(ipv6Addresses, other.ipv6Addresses)
        && Arrays.equals(names, other.names)
        && Arrays.equals(portSet, other.portSet)
        && portSets.equals(other.portSets)
        && Arrays.equals(zones, other.zones);
  }
}
