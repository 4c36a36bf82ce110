package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.dns.wire.Name;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What queries read: Services by name, namespaces, and Services and pods by address. Read by any
/// thread, written by the compiling one.
public final class ClusterTables {
  private static final ServiceCell[] NO_SERVICES = {};

  private final NameTable<ServiceCell> services = new NameTable<>();
  private final NameTable<NamespaceCell> namespaces = new NameTable<>();
  private final AddressTable<ServiceCell[]> clusterAddresses = new AddressTable<>();
  private final AddressTable<ServiceCell[]> endpointAddresses = new AddressTable<>();
  private final AddressTable<List<ObjectKey>> pods = new AddressTable<>();
  private final AddressIndex index = new AddressIndex(this);
  private volatile long version;
  // The writer's: what is in the table for each pod.
  private final Map<ObjectKey, List<IpAddress>> podAddresses = new HashMap<>();

  /// The Service whose name and namespace lie there in a packet, visible or not; null when there
  /// never was one.
  public @Nullable ServiceCell service(byte[] bytes, int from, int length) {
    return services.get(bytes, from, length);
  }

  public @Nullable ServiceCell service(ObjectKey key) {
    return services.get(CompiledService.tableKey(key));
  }

  /// Whether the namespace whose label begins there exists and may be seen.
  public boolean namespace(byte[] bytes, int from) {
    NamespaceCell cell = namespaces.get(bytes, from, bytes[from] + 1);
    return cell != null && cell.visible();
  }

  /// The Services with that cluster address.
  public ServiceCell[] clusterAddress(IpAddress address) {
    ServiceCell[] found = clusterAddresses.get(address);
    return found == null ? NO_SERVICES : found;
  }

  /// The Services with an endpoint of that address.
  public ServiceCell[] endpointAddress(IpAddress address) {
    ServiceCell[] found = endpointAddresses.get(address);
    return found == null ? NO_SERVICES : found;
  }

  /// The pods of that address: several share one on the host's network.
  public List<ObjectKey> pods(IpAddress address) {
    List<ObjectKey> found = pods.get(address);
    return found == null ? List.of() : found;
  }

  /// Whether an address that leads to a name lies between two of one family.
  public boolean anyAddress(IpAddress first, IpAddress last) {
    return index.any(first, last);
  }

  /// Rises with every change of addresses.
  long version() {
    return version;
  }

  /// Every address that leads to a name. Costs a pass over all of them.
  void forEachAddress(Consumer<IpAddress> visitor) {
    clusterAddresses.forEach((address, _) -> visitor.accept(address));
    endpointAddresses.forEach((address, _) -> visitor.accept(address));
  }

  /// The newest version of every Service there is, visible or not, in no order.
  public void forEachService(Consumer<ServiceCell> visitor) {
    services.forEach(visitor);
  }

  void namespace(String name, boolean visible) {
    namespaceCell(name).visible(visible);
  }

  private NamespaceCell namespaceCell(String name) {
    byte[] key = label(name);
    NamespaceCell known = namespaces.get(key);
    if (known != null) {
      return known;
    }
    NamespaceCell cell = new NamespaceCell();
    namespaces.put(key, cell);
    return cell;
  }

  private static byte[] label(String name) {
    byte[] wire = Name.of(name).toWire();
    return Arrays.copyOf(wire, wire.length - 1);
  }

  /// Puts a version in place of the one before. False when it gives the same answers.
  boolean service(ObjectKey key, @Nullable CompiledService now) {
    byte[] name = CompiledService.tableKey(key);
    ServiceCell cell = services.get(name);
    CompiledService before = cell == null ? null : cell.current();
    if (now == null && before == null) {
      return false;
    }
    if (now != null && before != null && now.same(before)) {
      return false;
    }
    if (cell == null) {
      cell = new ServiceCell(namespaceCell(key.namespace()));
    }
    cell.current(now);
    services.put(name, now == null ? null : cell);
    exchange(clusterAddresses, cell, clusterAddresses(before), clusterAddresses(now));
    exchange(endpointAddresses, cell, endpointAddresses(before), endpointAddresses(now));
    changed();
    return true;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void changed() {
    version++;
  }

  private static Set<IpAddress> clusterAddresses(@Nullable CompiledService compiled) {
    return compiled == null ? Set.of() : Set.copyOf(compiled.clusterAddresses());
  }

  private static Set<IpAddress> endpointAddresses(@Nullable CompiledService compiled) {
    if (compiled == null) {
      return Set.of();
    }
    PackedEndpoints endpoints = compiled.endpoints();
    Set<IpAddress> addresses = HashSet.newHashSet(endpoints.size());
    for (int i = 0; i < endpoints.size(); i++) {
      addresses.add(endpoints.address(i));
    }
    return addresses;
  }

  private static void exchange(
      AddressTable<ServiceCell[]> table,
      ServiceCell cell,
      Set<IpAddress> before,
      Set<IpAddress> now) {
    for (IpAddress address : before) {
      if (!now.contains(address)) {
        table.put(address, without(table.get(address), cell));
      }
    }
    for (IpAddress address : now) {
      if (!before.contains(address)) {
        table.put(address, with(table.get(address), cell));
      }
    }
  }

  private static ServiceCell[] with(ServiceCell @Nullable [] cells, ServiceCell cell) {
    if (cells == null) {
      return cell.alone();
    }
    ServiceCell[] more = Arrays.copyOf(cells, cells.length + 1);
    more[cells.length] = cell;
    return more;
  }

  private static ServiceCell @Nullable [] without(
      ServiceCell @Nullable [] cells, ServiceCell cell) {
    if (cells == null) {
      return null;
    }
    ServiceCell[] less =
        Arrays.stream(cells).filter(each -> !each.equals(cell)).toArray(ServiceCell[]::new);
    return less.length == 0 ? null : less.length == 1 ? less[0].alone() : less;
  }

  /// Puts a pod's addresses in place of those before; none for a pod that is gone.
  boolean pod(ObjectKey key, List<IpAddress> now) {
    List<IpAddress> before = now.isEmpty() ? podAddresses.remove(key) : podAddresses.put(key, now);
    if (now.equals(before) || (before == null && now.isEmpty())) {
      return false;
    }
    if (before != null) {
      before.forEach(address -> changePods(address, key, false));
    }
    now.forEach(address -> changePods(address, key, true));
    return true;
  }

  private void changePods(IpAddress address, ObjectKey pod, boolean there) {
    Set<ObjectKey> changed = new LinkedHashSet<>(pods(address));
    boolean different = there ? changed.add(pod) : changed.remove(pod);
    if (different) {
      pods.put(address, changed.isEmpty() ? null : List.copyOf(changed));
    }
  }
}
