package io.fairlead.proxy.announce;

import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPool;
import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which node announces which load balancer address, for people: from what the API says. Pure.
public final class AnnouncementOverview {
  /// A Lease is believed for longer than announcers do: the clocks of two machines differ.
  private static final Duration SLACK = Duration.ofSeconds(10);

  private static final String ESTABLISHED = "Established";

  /// One address.
  ///
  /// @param pool its name; empty when no pool has it
  /// @param service a Service that has it
  /// @param nodes those that announce it; one, or all that tell a router
  /// @param state in one word
  /// @param reasons why each node does not, when none does
  public record Row(
      String address,
      String pool,
      ObjectKey service,
      SortedSet<String> nodes,
      State state,
      Map<String, String> reasons) {}

  /// How an address stands.
  public enum State {
    /// The Service waits for an address.
    PENDING,
    ANNOUNCED,
    /// It should be, and no node does.
    SILENT,
    /// The network sends it here without that.
    ROUTED
  }

  /// A router that does not hear a node.
  ///
  /// @param state with the reason, `Idle, "Connection refused"`
  public record SessionDown(String node, String peer, String state) {}

  private AnnouncementOverview() {}

  /// The sessions with routers that are not established, of announcers that live.
  public static List<SessionDown> sessionsDown(List<ObjectNode> leases, Instant now) {
    List<SessionDown> down = new ArrayList<>();
    for (ObjectNode object : leases) {
      AnnouncerLease lease = AnnouncerLease.of(object);
      if (isFresh(object, lease, now)) {
        lease
            .peers()
            .forEach(
                (peer, state) -> {
                  if (!state.equals(ESTABLISHED)) {
                    down.add(new SessionDown(lease.node(), peer, state));
                  }
                });
      }
    }
    return down;
  }

  /// @param services all
  /// @param leases those with the announcers' label
  /// @param nodes all
  public static List<Row> of(
      List<ObjectNode> services,
      List<ObjectNode> leases,
      List<ObjectNode> nodes,
      LoadBalancerPools pools,
      Instant now) {
    Map<String, AnnouncerLease> said = new HashMap<>();
    Set<String> fresh = new HashSet<>();
    for (ObjectNode object : leases) {
      AnnouncerLease lease = AnnouncerLease.of(object);
      said.put(lease.node(), lease);
      if (isFresh(object, lease, now)) {
        fresh.add(lease.node());
      }
    }
    Map<String, AnnouncerNode> objects = new HashMap<>();
    for (ObjectNode object : nodes) {
      AnnouncerNode node = AnnouncerNode.of(object);
      objects.put(node.metadata().key().name(), node);
    }
    AnnouncerView view = new AnnouncerView("", Map.of(), Set.of(), objects, said, fresh);
    List<Row> rows = new ArrayList<>();
    for (ObjectNode service : services) {
      add(service, view, pools, rows);
    }
    rows.sort(
        (one, other) -> {
          IpAddress first = IpAddress.parseOrNull(one.address);
          IpAddress second = IpAddress.parseOrNull(other.address);
          if (first == null || second == null) {
            return Boolean.compare(first == null, second == null);
          }
          int byAddress = first.compareTo(second);
          return byAddress != 0 ? byAddress : one.service.compareTo(other.service);
        });
    return rows;
  }

  private static boolean isFresh(ObjectNode object, AnnouncerLease lease, Instant now) {
    try {
      Instant renewed = Instant.parse(Json.textOr(object, "", "spec", "renewTime"));
      return renewed.plus(lease.limit()).plus(SLACK).isAfter(now);
    } catch (DateTimeParseException _) {
      return false;
    }
  }

  private static void add(
      ObjectNode service, AnnouncerView view, LoadBalancerPools pools, List<Row> rows) {
    if (!Json.textOr(service, "", "spec", "type").equals("LoadBalancer")) {
      return;
    }
    ObjectKey key = ObjectKey.of(service);
    boolean local = Json.textOr(service, "", "spec", "externalTrafficPolicy").equals("Local");
    boolean any = false;
    for (JsonNode ingress : service.at("/status/loadBalancer/ingress")) {
      IpAddress address = IpAddress.parseOrNull(Json.textOr(ingress, "", "ip"));
      if (address != null) {
        any = true;
        rows.add(row(address, key, local, view, pools));
      }
    }
    if (!any) {
      rows.add(new Row("", "", key, new TreeSet<>(), State.PENDING, Map.of()));
    }
  }

  /// Every node that tells a router of it announces it; one whose routers do not listen does not.
  private static Row routedRow(
      IpAddress address,
      ObjectKey service,
      boolean local,
      AnnouncerView view,
      LoadBalancerPool pool) {
    SortedSet<String> by = new TreeSet<>();
    SortedMap<String, String> reasons = new TreeMap<>();
    view.nodes()
        .forEach(
            (node, object) -> {
              AnnouncerLease lease = view.leases().get(node);
              if (!object.obstacle().isEmpty()) {
                reasons.put(node, object.obstacle());
              } else if (!pool.nodeSelector().matches(object.metadata().labels())) {
                reasons.put(node, "is not selected by pool " + pool.name());
              } else if (lease == null || !view.fresh().contains(node)) {
                reasons.put(node, "has no announcer");
              } else if (!lease.routes().contains(address)) {
                reasons.put(node, local ? "has no local endpoint" : "has no router to tell");
              } else if (lease.peers().values().stream().noneMatch(ESTABLISHED::equals)) {
                reasons.put(node, "has no session: " + sessions(lease));
              } else {
                by.add(node);
              }
            });
    return new Row(
        address.toString(),
        pool.name(),
        service,
        by,
        by.isEmpty() ? State.SILENT : State.ANNOUNCED,
        by.isEmpty() ? reasons : Map.of());
  }

  /// `tor-1 is Idle, "Connection refused"`.
  private static String sessions(AnnouncerLease lease) {
    return lease.peers().entrySet().stream()
        .map(each -> each.getKey() + " is " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  private static Row row(
      IpAddress address,
      ObjectKey service,
      boolean local,
      AnnouncerView view,
      LoadBalancerPools pools) {
    Optional<LoadBalancerPool> pool = pools.of(address);
    String name = pool.map(LoadBalancerPool::name).orElse("");
    if (pool.isPresent() && pool.get().announcement() == Announcement.BGP) {
      return routedRow(address, service, local, view, pool.get());
    }
    if (pool.isEmpty() || pool.get().announcement() != Announcement.L2) {
      return new Row(address.toString(), name, service, new TreeSet<>(), State.ROUTED, Map.of());
    }
    SortedSet<String> by = new TreeSet<>();
    view.leases()
        .forEach(
            (node, lease) -> {
              if (view.fresh().contains(node) && lease.announces().contains(address)) {
                by.add(node);
              }
            });
    SortedMap<String, String> reasons = new TreeMap<>();
    if (by.isEmpty()) {
      AddressDemand demand =
          new AddressDemand(
              pool.get(), new TreeSet<>(List.of(service)), local, LocalEndpoints.NONE, "");
      reasons.putAll(view.reasons(address, demand));
    }
    return new Row(
        address.toString(),
        name,
        service,
        by,
        by.isEmpty() ? State.SILENT : State.ANNOUNCED,
        reasons);
  }
}
