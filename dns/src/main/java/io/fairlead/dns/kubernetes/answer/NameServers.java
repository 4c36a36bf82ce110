package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.dns.kubernetes.data.ClusterTables;
import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.kubernetes.data.PackedEndpoints;
import io.fairlead.dns.kubernetes.data.ServiceCell;
import io.fairlead.dns.wire.Name;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Who this server is in the cluster: the Services that have one of its own addresses among their
/// endpoints, or just those addresses when there is none.
public final class NameServers {
  private static final Name SELF = Name.of("ns.dns");

  private final ClusterTables tables;
  private final Supplier<List<IpAddress>> own;

  /// @param own this process's addresses that clients can reach, as they are at the moment
  public NameServers(ClusterTables tables, Supplier<List<IpAddress>> own) {
    this.tables = tables;
    this.own = own;
  }

  /// Names and their addresses, in a zone.
  public Map<Name, Set<IpAddress>> in(Name zone) {
    Map<ObjectKey, CompiledService> services =
        new TreeMap<>(Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name));
    List<IpAddress> addresses = own.get();
    for (IpAddress address : addresses) {
      for (ServiceCell cell : tables.endpointAddress(address)) {
        CompiledService service = cell.current();
        if (service != null) {
          services.put(service.key(), service);
        }
      }
    }
    Map<Name, Set<IpAddress>> found = new LinkedHashMap<>();
    for (CompiledService service : services.values()) {
      add(found, service, addresses, zone);
    }
    Name self = SELF.append(zone);
    if (found.isEmpty() && self != null) {
      found.put(self, new LinkedHashSet<>(addresses));
    }
    return found;
  }

  private static void add(
      Map<Name, Set<IpAddress>> found, CompiledService service, List<IpAddress> own, Name zone) {
    if (!service.isHeadless()) {
      name(new byte[0], service, zone)
          .forEach(name -> found.put(name, new LinkedHashSet<>(service.clusterAddresses())));
      return;
    }
    PackedEndpoints endpoints = service.endpoints();
    for (int i = 0; i < endpoints.size(); i++) {
      IpAddress address = endpoints.address(i);
      if (own.contains(address)) {
        byte[] labels = new byte[endpoints.nameLength(i)];
        endpoints.copyName(i, labels, 0);
        name(labels, service, zone)
            .forEach(name -> found.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(address));
      }
    }
  }

  /// The name of a Service or of something in it; none when it would be too long.
  static List<Name> name(byte[] labels, CompiledService service, Name zone) {
    byte[] wire = new byte[labels.length + service.labels().length + zone.length()];
    if (wire.length > Name.LONGEST) {
      return List.of();
    }
    System.arraycopy(labels, 0, wire, 0, labels.length);
    System.arraycopy(service.labels(), 0, wire, labels.length, service.labels().length);
    zone.copyTo(wire, labels.length + service.labels().length);
    return List.of(Name.ofWire(wire, 0, wire.length));
  }
}
