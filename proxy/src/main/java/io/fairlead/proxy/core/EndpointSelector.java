package io.fairlead.proxy.core;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.SelectedEndpoints.Topology;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Chooses the endpoints a node uses for a service port. The same for all modes.
///
/// How it works: ready endpoints first, narrowed by hints when every ready endpoint has one and
/// some hint names this node (or its zone). Where no ready one is left, those that terminate but
/// still serve stand in. That is decided once for traffic that may go anywhere and once, without
/// hints, for traffic that must stay on the node.
public final class EndpointSelector {
  private EndpointSelector() {}

  /// @param endpoints sorted by their text; the results keep that order
  /// @param zone the node's zone, empty when it has none
  public static SelectedEndpoints choose(
      ServicePort port, List<Backend> endpoints, String node, String zone) {
    List<UnusedBackend> unused = new ArrayList<>();
    List<Backend> usable = usable(endpoints, unused);
    Topology topology = port.usesCluster() ? topology(usable, node, zone) : Topology.NONE;
    List<Backend> cluster = port.usesCluster() ? cluster(usable, topology, node, zone) : List.of();
    List<Backend> local = List.of();
    boolean any = !cluster.isEmpty();
    if (port.usesLocal()) {
      any = any || usable.stream().anyMatch(e -> e.ready() || e.servesWhileTerminating());
      local = readyOrServing(usable, Backend::local);
    }
    List<Backend> all = union(usable, cluster, local);
    explain(port, usable, all, unused);
    return new SelectedEndpoints(cluster, local, all, any, topology, unused);
  }

  private static List<Backend> usable(List<Backend> endpoints, List<UnusedBackend> unused) {
    List<Backend> usable = new ArrayList<>(endpoints.size());
    for (Backend endpoint : endpoints) {
      if (forbidden(endpoint.address())) {
        unused.add(new UnusedBackend(endpoint, UnusedBackend.Reason.FORBIDDEN_ADDRESS));
      } else {
        usable.add(endpoint);
      }
    }
    return allOr(usable, endpoints);
  }

  /// A part of a list, or the list itself when the part is all of it: most lists are, and need not
  /// be held three times.
  private static List<Backend> allOr(List<Backend> part, List<Backend> all) {
    return part.size() == all.size() ? all : List.copyOf(part);
  }

  /// Addresses that mean the node itself or no host in particular. A stored endpoint with one of
  /// them would turn a Service into a way to the node's own loopback (CVE-2021-25737).
  private static boolean forbidden(IpAddress address) {
    return address.isLoopback()
        || address.isLinkLocalUnicast()
        || address.isMulticast()
        || address.isUnspecified()
        || address.isIpv4Mapped();
  }

  private static Topology topology(List<Backend> usable, String node, String zone) {
    boolean nodeHints = true;
    boolean nodeNamed = false;
    boolean zoneHints = true;
    boolean zoneNamed = false;
    boolean someReady = false;
    for (Backend endpoint : usable) {
      if (!endpoint.ready()) {
        continue;
      }
      someReady = true;
      nodeHints &= !endpoint.nodes().isEmpty();
      nodeNamed |= endpoint.nodes().contains(node);
      zoneHints &= !endpoint.zones().isEmpty();
      zoneNamed |= !zone.isEmpty() && endpoint.zones().contains(zone);
    }
    if (someReady && nodeHints && nodeNamed) {
      return Topology.NODE;
    }
    return someReady && zoneHints && zoneNamed ? Topology.ZONE : Topology.NONE;
  }

  private static List<Backend> cluster(
      List<Backend> usable, Topology topology, String node, String zone) {
    Predicate<Backend> hinted =
        switch (topology) {
          case NONE -> _ -> true;
          case NODE -> endpoint -> endpoint.nodes().contains(node);
          case ZONE -> endpoint -> endpoint.zones().contains(zone);
        };
    List<Backend> ready = new ArrayList<>(usable.size());
    for (Backend endpoint : usable) {
      if (endpoint.ready() && hinted.test(endpoint)) {
        ready.add(endpoint);
      }
    }
    return ready.isEmpty()
        ? usable.stream().filter(Backend::servesWhileTerminating).toList()
        : allOr(ready, usable);
  }

  private static List<Backend> readyOrServing(List<Backend> usable, Predicate<Backend> where) {
    List<Backend> ready = usable.stream().filter(where).filter(Backend::ready).toList();
    return ready.isEmpty()
        ? usable.stream().filter(where).filter(Backend::servesWhileTerminating).toList()
        : ready;
  }

  private static List<Backend> union(
      List<Backend> usable, List<Backend> cluster, List<Backend> local) {
    if (local.isEmpty()) {
      return cluster;
    }
    if (cluster.isEmpty()) {
      return local;
    }
    Set<Backend> either = new LinkedHashSet<>(cluster);
    either.addAll(local);
    return usable.stream().filter(either::contains).toList();
  }

  private static void explain(
      ServicePort port, List<Backend> usable, List<Backend> all, List<UnusedBackend> unused) {
    if (all.size() == usable.size()) {
      return;
    }
    Set<Backend> used = Set.copyOf(all);
    for (Backend endpoint : usable) {
      if (!used.contains(endpoint)) {
        unused.add(new UnusedBackend(endpoint, reason(port, endpoint)));
      }
    }
  }

  private static UnusedBackend.Reason reason(ServicePort port, Backend endpoint) {
    if (endpoint.ready()) {
      return port.usesCluster()
          ? UnusedBackend.Reason.HINTED_ELSEWHERE
          : UnusedBackend.Reason.NOT_LOCAL;
    }
    if (!endpoint.terminating()) {
      return UnusedBackend.Reason.NOT_READY;
    }
    if (!endpoint.serving()) {
      return UnusedBackend.Reason.NOT_SERVING;
    }
    return port.usesCluster() || endpoint.local()
        ? UnusedBackend.Reason.TERMINATING
        : UnusedBackend.Reason.NOT_LOCAL;
  }
}
