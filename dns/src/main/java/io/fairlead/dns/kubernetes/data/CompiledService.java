package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One version of one Service, ready to be copied into replies. Immutable: a query that has it sees
/// one state of the Service from beginning to end.
public final class CompiledService {
  /// One A record: a pointer to the question, type, class, time, length, address.
  public static final int A_LENGTH = 16;

  /// One AAAA record.
  public static final int AAAA_LENGTH = 28;

  private static final byte[] NONE = {};
  private static final byte[] SVC = {3, 's', 'v', 'c'};

  private final ObjectKey key;
  private final DnsServiceFacts.Kind kind;
  private final byte[] labels;
  private final List<IpAddress> clusterAddresses;
  private final byte[] ipv4Records;
  private final byte[] ipv6Records;
  private final List<PortFacts> ports;
  private final PackedEndpoints endpoints;
  private final @Nullable Name externalName;
  private final List<IpAddress> externalAddresses;

  private final boolean hidden;

  private CompiledService(DnsServiceFacts service, PackedEndpoints endpoints, DataOptions options) {
    this.key = service.key();
    this.kind = service.kind();
    this.labels = labels(key);
    this.ports = service.ports();
    this.endpoints = endpoints;
    this.externalName =
        service.externalName().isEmpty() ? null : Name.parseOrNull(service.externalName());
    this.externalAddresses = service.externalAddresses();
    this.clusterAddresses = service.addresses();
    this.hidden =
        kind == DnsServiceFacts.Kind.CLUSTER_IP
            && options.ignoreEmptyService()
            && endpoints.size() == 0;
    List<IpAddress> addresses = addresses();
    this.ipv4Records = records(addresses, true, options.ttl());
    this.ipv6Records = records(addresses, false, options.ttl());
  }

  /// Compiles a Service, or null when nothing is to be known of it: no address yet, an external
  /// name that is none, or headless without a ready endpoint.
  static @Nullable CompiledService of(
      DnsServiceFacts service, List<SliceFacts> slices, DataOptions options) {
    if (service.kind() == DnsServiceFacts.Kind.EXTERNAL_NAME) {
      String target = service.externalName();
      boolean usable = IpAddress.parseOrNull(target) == null && Name.parseOrNull(target) != null;
      return usable ? new CompiledService(service, PackedEndpoints.NONE, options) : null;
    }
    PackedEndpoints endpoints = EndpointPacker.pack(slices, options.zones());
    return switch (service.kind()) {
      case PENDING -> null;
      case CLUSTER_IP -> new CompiledService(service, endpoints, options);
      case HEADLESS ->
          endpoints.size() == 0 ? null : new CompiledService(service, endpoints, options);
      case EXTERNAL_NAME -> throw new AssertionError(service);
    };
  }

  private static List<IpAddress> distinct(PackedEndpoints endpoints) {
    Set<IpAddress> seen = new LinkedHashSet<>();
    for (int i = 0; i < endpoints.size(); i++) {
      seen.add(endpoints.address(i));
    }
    return List.copyOf(seen);
  }

  private static byte[] records(List<IpAddress> addresses, boolean ipv4, int ttl) {
    int length = ipv4 ? A_LENGTH : AAAA_LENGTH;
    int count = (int) addresses.stream().filter(each -> each.isIpv4() == ipv4).count();
    if (count == 0) {
      return NONE;
    }
    byte[] records = new byte[count * length];
    int at = 0;
    for (IpAddress address : addresses) {
      if (address.isIpv4() == ipv4) {
        at = record(records, at, ttl, address.toBytes());
      }
    }
    return records;
  }

  private static int record(byte[] records, int start, int ttl, byte[] address) {
    int at = start;
    records[at++] = (byte) 0xc0;
    records[at++] = 12;
    records[at++] = 0;
    records[at++] = (byte) (address.length == 4 ? RecordType.A : RecordType.AAAA);
    records[at++] = 0;
    records[at++] = RecordClass.IN;
    for (int shift = 24; shift >= 0; shift -= 8) {
      records[at++] = (byte) (ttl >> shift);
    }
    records[at++] = 0;
    records[at++] = (byte) address.length;
    System.arraycopy(address, 0, records, at, address.length);
    return at + address.length;
  }

  /// `crane.harbor` in wire form: what the tables of Services are keyed by.
  static byte[] tableKey(ObjectKey key) {
    byte[] labels = labels(key);
    return Arrays.copyOf(labels, labels.length - SVC.length);
  }

  private static byte[] labels(ObjectKey key) {
    byte[] wire = Name.of(key.name() + "." + key.namespace() + ".svc").toWire();
    return Arrays.copyOf(wire, wire.length - 1);
  }

  public ObjectKey key() {
    return key;
  }

  public DnsServiceFacts.Kind kind() {
    return kind;
  }

  public boolean isHeadless() {
    return kind == DnsServiceFacts.Kind.HEADLESS;
  }

  /// `crane.harbor.svc` in wire form, without a root.
  public byte[] labels() {
    return labels;
  }

  /// Whether only its addresses lead to its name and not the other way: it has no ready endpoint
  /// and that is to count.
  public boolean hidden() {
    return hidden;
  }

  public List<IpAddress> clusterAddresses() {
    return clusterAddresses;
  }

  /// The addresses of the Service's own name: its cluster addresses, or each of its endpoints',
  /// which are gathered for each call.
  public List<IpAddress> addresses() {
    return isHeadless() ? distinct(endpoints) : clusterAddresses;
  }

  /// Its A records (or AAAA) as they go into a reply.
  public byte[] records(boolean ipv4) {
    return ipv4 ? ipv4Records : ipv6Records;
  }

  public List<PortFacts> ports() {
    return ports;
  }

  public PackedEndpoints endpoints() {
    return endpoints;
  }

  /// Null unless it is an ExternalName.
  public @Nullable Name externalName() {
    return externalName;
  }

  public List<IpAddress> externalAddresses() {
    return externalAddresses;
  }

  /// Whether both give the same answers.
  boolean same(CompiledService other) {
    return kind == other.kind
        && clusterAddresses.equals(other.clusterAddresses)
        && hidden == other.hidden
        && ports.equals(other.ports)
        && externalAddresses.equals(other.externalAddresses)
        && Objects.equals(externalName, other.externalName)
        && endpoints.same(other.endpoints);
  }
}
