package io.fairlead.server.controlplane;

import io.fairlead.api.json.Json;
import io.fairlead.server.allocation.NodePortRange;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.ListQuery;
import io.fairlead.server.cache.SelectionPredicate;
import io.fairlead.server.resources.service.ServiceClaims;
import io.fairlead.store.CommitResult;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.Write;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Compares Services with the claims of their addresses and node ports, and mends what does not fit
/// (spec 3.9).
///
/// A Service and its claims are one commit, so this server never takes them apart. Others can: a
/// person who deletes an IPAddress, or the original that ran on this etcd before and knows no keys
/// for node ports. Every write here depends on the Service being as it was seen, so that several
/// servers may do this at once. One thread; a round in which nothing was written since the last
/// costs nothing.
public final class ClaimRepair {
  /// How often a node port must be seen without its Service before it is given back.
  private static final int SIGHTINGS = 3;

  private final Caches caches;
  private final Store store;
  private final NodePortRange nodePorts;
  private final RepairEvents events;
  private final AddressRepair addresses;
  private final Map<Integer, Integer> leaked = new HashMap<>();
  private long checkedAt = -1;
  private boolean clean;
  // What the last round saw; the cache has one object for each revision of a Service.
  private Map<CachedObject, ObservedService> seen = Map.of();

  public ClaimRepair(
      Caches caches,
      Store store,
      NodePortRange nodePorts,
      RepairEvents events,
      InstantSource clock) {
    this.caches = caches;
    this.store = store;
    this.nodePorts = nodePorts;
    this.events = events;
    this.addresses = new AddressRepair(caches, store, events, clock);
  }

  /// Looks once.
  public void round() {
    caches.awaitFresh();
    long newest =
        Math.max(
            caches.of("", "services").changedAt(),
            Math.max(
                caches.of(ServiceClaims.GROUP, "ipaddresses").changedAt(),
                caches.of(ServiceClaims.GROUP, "servicecidrs").changedAt()));
    if (clean && newest == checkedAt) {
      return;
    }
    checkedAt = newest;
    List<ObservedService> services = look();
    boolean fine = addresses.check(services);
    fine &= checkPorts(services);
    clean = fine;
  }

  /// All Services. One that has not changed since the last round is not read again, and no more
  /// than one is in memory as a tree.
  private List<ObservedService> look() {
    Map<CachedObject, ObservedService> now = new HashMap<>();
    List<ObservedService> services = new ArrayList<>();
    ListQuery all = new ListQuery(SelectionPredicate.namespace(""), "0", "", 0, "");
    for (CachedObject object : caches.of("", "services").list(all).items()) {
      ObservedService before = seen.get(object);
      ObservedService service = before == null ? ObservedService.of(object) : before;
      now.put(object, service);
      services.add(service);
    }
    seen = now;
    return services;
  }

  /// A Service as it was seen.
  ///
  /// @param addresses that it holds
  /// @param nodePorts that it holds
  record ObservedService(CachedObject object, List<String> addresses, Set<Integer> nodePorts) {
    static ObservedService of(CachedObject object) {
      JsonNode spec = object.tree().path("spec");
      return new ObservedService(
          object,
          List.copyOf(ServiceClaims.addresses(spec)),
          Set.copyOf(ServiceClaims.nodePorts(spec)));
    }

    String namespace() {
      return object.namespace();
    }

    String name() {
      return object.name();
    }

    ObjectNode service() {
      return object.tree();
    }

    /// Makes a commit depend on the Service being as it was seen.
    Write unchanged() {
      return new Write.Check(
          "/registry/services/specs/" + namespace() + "/" + name(), object.revision());
    }
  }

  /// Whether the commit was done.
  static boolean done(Store store, List<Write> writes) {
    return store.commit(writes) instanceof CommitResult.Committed;
  }

  private boolean checkPorts(List<ObservedService> services) {
    Map<Integer, JsonNode> claims = new HashMap<>();
    Range all = new Range(ServiceClaims.NODE_PORTS, "", 0, store.revision());
    for (StoreEntry entry : store.range(all).entries()) {
      claims.put(
          Integer.parseInt(entry.key().substring(ServiceClaims.NODE_PORTS.length())),
          Json.parse(entry.value()));
    }
    Set<Integer> used = new TreeSet<>();
    boolean fine = true;
    for (ObservedService service : services) {
      for (int port : service.nodePorts()) {
        if (!nodePorts.contains(port)) {
          events.about(
              service.service(),
              "PortOutOfRange",
              "Port "
                  + port
                  + " is not within the port range "
                  + nodePorts
                  + "; please recreate service");
        } else if (!used.add(port)) {
          events.about(
              service.service(),
              "PortAlreadyAllocated",
              "Port " + port + " was assigned to multiple services; please recreate service");
        } else if (!claims.containsKey(port)) {
          fine = false;
          claim(service, port);
        }
      }
    }
    return dropLeaked(claims, used) && fine;
  }

  private void claim(ObservedService service, int port) {
    if (done(
        store,
        List.of(
            service.unchanged(),
            ServiceClaims.nodePort(port, service.namespace(), service.name())))) {
      events.about(
          service.service(), "PortNotAllocated", "Port " + port + " was not allocated; repairing");
    }
  }

  /// Gives back ports whose Service is gone, once they have been seen so several times.
  private boolean dropLeaked(Map<Integer, JsonNode> claims, Set<Integer> used) {
    leaked.keySet().removeIf(port -> !claims.containsKey(port) || used.contains(port));
    boolean fine = true;
    for (Map.Entry<Integer, JsonNode> claim : claims.entrySet()) {
      if (used.contains(claim.getKey())) {
        continue;
      }
      fine = false;
      if (leaked.merge(claim.getKey(), 1, Integer::sum) < SIGHTINGS) {
        continue;
      }
      String namespace = claim.getValue().path("namespace").asString("");
      String name = claim.getValue().path("service").asString("");
      ObservedService owner = owner(namespace, name);
      String key = "/registry/services/specs/" + namespace + "/" + name;
      Write still = owner == null ? new Write.Check(key, Write.ABSENT) : owner.unchanged();
      if (owner == null || !owner.nodePorts().contains(claim.getKey())) {
        boolean unused =
            done(
                store,
                List.of(
                    still, new Write.Delete(ServiceClaims.NODE_PORTS + claim.getKey(), Write.ANY)));
      }
    }
    return fine;
  }

  private @Nullable ObservedService owner(String namespace, String name) {
    CachedObject service = caches.of("", "services").get(namespace, name);
    return service == null ? null : ObservedService.of(service);
  }
}
