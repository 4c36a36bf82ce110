package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.proxy.core.ServicePortName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What all service ports together ask for. Ports share addresses and entries, so those are
/// counted; when two claim one address and port, the first by name has it, and the other takes over
/// when it goes. Remembers what was touched since the last look. Owned by the plane's thread.
final class DesiredIpvsState {
  private final Map<VirtualServerAddress, TreeMap<ServicePortName, DesiredVirtualServer>> servers =
      new HashMap<>();
  private final Map<IpAddress, Integer> bound = new HashMap<>();
  private final Map<SetKind, Map<String, Integer>> entries = new EnumMap<>(SetKind.class);
  private final TreeMap<ServicePortName, List<String>> blocked = new TreeMap<>();
  private Touched touched = new Touched();

  /// What may differ from before.
  static final class Touched {
    final Set<VirtualServerAddress> servers = new HashSet<>();
    final Set<IpAddress> bound = new HashSet<>();
    final Set<IpsetEntry> entries = new HashSet<>();
  }

  DesiredIpvsState() {
    for (SetKind set : SetKind.values()) {
      entries.put(set, new HashMap<>());
    }
  }

  void add(ServicePortName name, RenderedServicePort rendered) {
    for (DesiredVirtualServer wanted : rendered.servers()) {
      VirtualServerAddress endpoint = wanted.server().endpoint();
      servers.computeIfAbsent(endpoint, _ -> new TreeMap<>()).put(name, wanted);
      touched.servers.add(endpoint);
    }
    for (IpAddress address : rendered.bound()) {
      bound.merge(address, 1, Integer::sum);
      touched.bound.add(address);
    }
    for (IpsetEntry entry : rendered.entries()) {
      entries(entry.set()).merge(entry.text(), 1, Integer::sum);
      touched.entries.add(entry);
    }
    if (!rendered.blocked().isEmpty()) {
      blocked.put(name, rendered.blocked());
    }
  }

  void remove(ServicePortName name, RenderedServicePort rendered) {
    for (DesiredVirtualServer wanted : rendered.servers()) {
      VirtualServerAddress endpoint = wanted.server().endpoint();
      servers.computeIfPresent(
          endpoint,
          (_, claims) -> {
            claims.remove(name);
            return claims.isEmpty() ? null : claims;
          });
      touched.servers.add(endpoint);
    }
    for (IpAddress address : rendered.bound()) {
      bound.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
      touched.bound.add(address);
    }
    for (IpsetEntry entry : rendered.entries()) {
      entries(entry.set()).computeIfPresent(entry.text(), (_, n) -> n == 1 ? null : n - 1);
      touched.entries.add(entry);
    }
    blocked.remove(name);
  }

  /// Hands out what was touched and starts a new list.
  Touched takeTouched() {
    Touched taken = touched;
    touched = new Touched();
    return taken;
  }

  @Nullable DesiredVirtualServer server(VirtualServerAddress endpoint) {
    TreeMap<ServicePortName, DesiredVirtualServer> claims = servers.get(endpoint);
    return claims == null ? null : claims.firstEntry().getValue();
  }

  /// Whose a virtual server is.
  @Nullable ServicePortName owner(VirtualServerAddress endpoint) {
    TreeMap<ServicePortName, DesiredVirtualServer> claims = servers.get(endpoint);
    return claims == null ? null : claims.firstKey();
  }

  Set<VirtualServerAddress> endpoints() {
    return servers.keySet();
  }

  boolean isBound(IpAddress address) {
    return bound.containsKey(address);
  }

  Set<IpAddress> bound() {
    return bound.keySet();
  }

  boolean has(IpsetEntry entry) {
    return entries(entry.set()).containsKey(entry.text());
  }

  Set<String> texts(SetKind set) {
    return entries(set).keySet();
  }

  boolean isEmpty(SetKind set) {
    return entries(set).isEmpty();
  }

  /// All rules that keep the node from load balancer addresses, by Service.
  List<String> blocked() {
    List<String> rules = new ArrayList<>();
    blocked.values().forEach(rules::addAll);
    return rules;
  }

  private Map<String, Integer> entries(SetKind set) {
    return entries.computeIfAbsent(set, _ -> new HashMap<>());
  }
}
