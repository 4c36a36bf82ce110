package io.fairlead.proxy.announce;

import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.AnnouncerLeaseNames;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.schema.Times;
import io.fairlead.client.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a node says of itself to the other announcers, in a Lease of its own.
///
/// @param limit without a renewal for so long it counts as dead
/// @param announces the addresses it answers for
/// @param doubts of those the ones it does not know yet whether another has taken: the API was away
/// @param readyFor the addresses that its rules carry and its networks have
/// @param local of those that traffic policy Local holds for, what endpoints the node has
/// @param hardware the hardware addresses of its interfaces
/// @param networks of its interfaces, `eth0=192.168.1.11/24`, for people
/// @param routes the addresses it tells its routers of
/// @param peers those routers, each with the state of its session
/// @param inUse the addresses that a machine has which is no node
/// @param obstacle why the node answers for nothing at all; empty when it may
record AnnouncerLease(
    String node,
    Duration limit,
    SortedSet<IpAddress> announces,
    SortedSet<IpAddress> doubts,
    SortedSet<IpAddress> readyFor,
    SortedMap<IpAddress, LocalEndpoints> local,
    SortedSet<String> hardware,
    List<String> networks,
    SortedSet<IpAddress> routes,
    SortedMap<String, String> peers,
    SortedSet<IpAddress> inUse,
    String obstacle) {
  static final String NAMESPACE = AnnouncerLeaseNames.NAMESPACE;
  static final String LABEL = AnnouncerLeaseNames.LABEL;

  private static final String ANNOUNCES = AnnouncerLeaseNames.ANNOUNCES;
  private static final String DOUBTS = "fairlead.dev/in-doubt";
  private static final String READY_FOR = AnnouncerLeaseNames.READY_FOR;
  private static final String LIMIT = AnnouncerLeaseNames.LIMIT;
  private static final String IN_USE = AnnouncerLeaseNames.IN_USE;
  private static final String OBSTACLE = "fairlead.dev/obstacle";
  private static final String LOCAL = "fairlead.dev/local-endpoints";
  private static final String HARDWARE = "fairlead.dev/macs";
  private static final String ROUTES = AnnouncerLeaseNames.ROUTES;
  private static final String PEERS = "fairlead.dev/bgp-peers";
  private static final String NETWORKS = AnnouncerLeaseNames.NETWORKS;
  private static final long DEFAULT_LIMIT = 1500;

  /// Servers read no other number of digits.
  private static final Pattern NETWORK_SEPARATOR = Pattern.compile(";");

  AnnouncerLease {
    announces = new TreeSet<>(announces);
    doubts = new TreeSet<>(doubts);
    readyFor = new TreeSet<>(readyFor);
    local = new TreeMap<>(local);
    hardware = new TreeSet<>(hardware);
    networks = List.copyOf(networks);
    // Most nodes have none of these.
    routes = routes.isEmpty() ? Collections.emptySortedSet() : new TreeSet<>(routes);
    peers = peers.isEmpty() ? Collections.emptySortedMap() : new TreeMap<>(peers);
    inUse = inUse.isEmpty() ? Collections.emptySortedSet() : new TreeSet<>(inUse);
  }

  /// Of a node that talks to no router.
  AnnouncerLease(
      String node,
      Duration limit,
      SortedSet<IpAddress> announces,
      SortedSet<IpAddress> doubts,
      SortedSet<IpAddress> readyFor,
      SortedMap<IpAddress, LocalEndpoints> local,
      SortedSet<String> hardware,
      List<String> networks) {
    this(
        node,
        limit,
        announces,
        doubts,
        readyFor,
        local,
        hardware,
        networks,
        Collections.emptySortedSet(),
        Collections.emptySortedMap(),
        Collections.emptySortedSet(),
        "");
  }

  static ObjectKey key(String node) {
    return new ObjectKey(NAMESPACE, AnnouncerLeaseNames.of(node));
  }

  static AnnouncerLease of(ObjectNode lease) {
    JsonNode annotations = lease.at("/metadata/annotations");
    return new AnnouncerLease(
        Json.textOr(lease, "", "spec", "holderIdentity"),
        Duration.ofMillis(millis(Json.textOr(annotations, "", LIMIT))),
        addresses(Json.textOr(annotations, "", ANNOUNCES)),
        addresses(Json.textOr(annotations, "", DOUBTS)),
        addresses(Json.textOr(annotations, "", READY_FOR)),
        endpoints(Json.textOr(annotations, "", LOCAL)),
        new TreeSet<>(texts(Json.textOr(annotations, "", HARDWARE))),
        List.of(NETWORK_SEPARATOR.split(Json.textOr(annotations, "", NETWORKS))).stream()
            .filter(text -> !text.isEmpty())
            .toList(),
        addresses(Json.textOr(annotations, "", ROUTES)),
        sessions(Json.textOr(annotations, "", PEERS)),
        addresses(Json.textOr(annotations, "", IN_USE)),
        Json.textOr(annotations, "", OBSTACLE));
  }

  /// As the Lease that says so.
  ObjectNode toLease(Instant now) {
    ObjectNode lease =
        Json.object().put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata = lease.putObject("metadata");
    metadata.put("namespace", NAMESPACE).put("name", key(node).name());
    metadata.putObject("labels").put(LABEL, "");
    metadata
        .putObject("annotations")
        .put(LIMIT, Long.toString(limit.toMillis()))
        .put(ANNOUNCES, joined(announces))
        .put(DOUBTS, joined(doubts))
        .put(READY_FOR, joined(readyFor))
        .put(
            LOCAL,
            joined(
                local.entrySet().stream()
                    .map(each -> each.getKey() + "=" + each.getValue().word())
                    .toList()))
        .put(HARDWARE, joined(hardware))
        .put(NETWORKS, String.join(";", networks))
        .put(ROUTES, joined(routes))
        .put(IN_USE, joined(inUse))
        .put(OBSTACLE, obstacle)
        .put(
            PEERS,
            peers.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(";")));
    lease
        .putObject("spec")
        .put("holderIdentity", node)
        .put("leaseDurationSeconds", Math.max(1, Math.ceilDiv(limit.toMillis(), 1000)))
        .put("renewTime", Times.microseconds(now));
    return lease;
  }

  /// What changes at a renewal that says nothing new.
  static ObjectNode renewal(Instant now) {
    ObjectNode lease = Json.object();
    lease.putObject("spec").put("renewTime", Times.microseconds(now));
    return lease;
  }

  private static String joined(Collection<?> all) {
    return all.stream().map(Object::toString).collect(Collectors.joining(","));
  }

  private static SortedSet<IpAddress> addresses(String text) {
    SortedSet<IpAddress> addresses = new TreeSet<>();
    for (String one : texts(text)) {
      IpAddress address = IpAddress.parseOrNull(one);
      if (address != null) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  private static SortedMap<IpAddress, LocalEndpoints> endpoints(String text) {
    SortedMap<IpAddress, LocalEndpoints> all = new TreeMap<>();
    for (String one : texts(text)) {
      int equals = one.indexOf('=');
      IpAddress address = equals < 0 ? null : IpAddress.parseOrNull(one.substring(0, equals));
      if (address != null) {
        all.put(address, LocalEndpoints.of(one.substring(equals + 1)));
      }
    }
    return all;
  }

  private static SortedMap<String, String> sessions(String text) {
    SortedMap<String, String> all = new TreeMap<>();
    for (String one : NETWORK_SEPARATOR.split(text)) {
      int equals = one.indexOf('=');
      if (equals > 0) {
        all.put(one.substring(0, equals), one.substring(equals + 1));
      }
    }
    return all;
  }

  private static List<String> texts(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }

  private static long millis(String text) {
    return text.matches("\\d{1,7}") ? Math.max(1, Long.parseLong(text)) : DEFAULT_LIMIT;
  }
}
