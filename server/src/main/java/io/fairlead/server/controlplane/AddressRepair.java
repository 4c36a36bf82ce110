package io.fairlead.server.controlplane;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.ListQuery;
import io.fairlead.server.cache.SelectionPredicate;
import io.fairlead.server.controlplane.ClaimRepair.ObservedService;
import io.fairlead.server.resources.service.ServiceClaims;
import io.fairlead.store.Store;
import io.fairlead.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The half of [ClaimRepair] that looks at addresses.
final class AddressRepair {
  /// How long an address without its Service is left alone.
  private static final Duration GRACE = Duration.ofSeconds(60);

  private final Caches caches;
  private final Store store;
  private final RepairEvents events;
  private final InstantSource clock;
  // Addresses whose claim was found right, so that it is read again only when one of both changed.
  private final Map<String, Sound> sound = new HashMap<>();

  /// A Service and a claim that fit each other. The cache has one object for each revision.
  private record Sound(CachedObject service, CachedObject claim) {}

  AddressRepair(Caches caches, Store store, RepairEvents events, InstantSource clock) {
    this.caches = caches;
    this.store = store;
    this.events = events;
    this.clock = clock;
  }

  /// Looks at all Services and all claims. Returns whether nothing is left to be done.
  boolean check(List<ObservedService> services) {
    List<Cidr> ranges = ranges();
    Map<String, ObservedService> holders = new HashMap<>();
    boolean fine = true;
    for (ObservedService seen : services) {
      for (String text : seen.addresses()) {
        IpAddress address = IpAddress.parseOrNull(text);
        if (address != null) {
          fine &= check(seen, address, ranges, holders);
        }
      }
    }
    ListQuery all = new ListQuery(SelectionPredicate.namespace(""), "0", "", 0, "");
    for (CachedObject claim : caches.of(ServiceClaims.GROUP, "ipaddresses").list(all).items()) {
      if (!holders.containsKey(claim.name())) {
        fine &= checkClaim(claim.tree());
      }
    }
    sound.keySet().retainAll(holders.keySet());
    return fine;
  }

  private boolean check(
      ObservedService seen,
      IpAddress address,
      List<Cidr> ranges,
      Map<String, ObservedService> holders) {
    String shown = "[" + address.family() + "]:" + address;
    if (ranges.stream()
        .noneMatch(range -> range.family() == address.family() && range.contains(address))) {
      events.about(
          seen.service(),
          "ClusterIPOutOfRange",
          "Cluster IP "
              + shown
              + " is not within any configured Service CIDR;"
              + " please recreate service");
    }
    ObservedService other = holders.putIfAbsent(address.toString(), seen);
    CachedObject cached = caches.of(ServiceClaims.GROUP, "ipaddresses").get("", address.toString());
    Sound now = cached == null ? null : new Sound(seen.object(), cached);
    if (other == null && now != null && now.equals(sound.get(address.toString()))) {
      return true;
    }
    ObjectNode claim = cached == null ? null : cached.tree();
    if (other != null) {
      // The Service that the claim names keeps it.
      ObservedService loser = claim != null && isOf(claim, seen) ? other : seen;
      holders.put(address.toString(), loser.equals(seen) ? other : seen);
      events.about(
          loser.service(),
          "ClusterIPAlreadyAllocated",
          "Cluster IP " + shown + " was assigned to multiple services; please recreate service");
      return true;
    }
    if (claim == null) {
      return repair(seen, address, "is not allocated; repairing");
    }
    if (!isOf(claim, seen) && !isHeld(claim, address)) {
      Write drop = new Write.Delete(ServiceClaims.ADDRESSES + address, revision(claim));
      if (ClaimRepair.done(store, List.of(seen.unchanged(), drop))) {
        return repair(seen, address, "has a wrong reference; repairing");
      }
      return false;
    }
    if (now != null) {
      sound.put(address.toString(), now);
    }
    return true;
  }

  private boolean repair(ObservedService seen, IpAddress address, String what) {
    Write claim =
        ServiceClaims.address(
            address, seen.namespace(), seen.name(), UUID.randomUUID(), clock.instant());
    if (ClaimRepair.done(store, List.of(seen.unchanged(), claim))) {
      events.about(
          seen.service(),
          "ClusterIPNotAllocated",
          "Cluster IP [" + address.family() + "]:" + address + " " + what);
    }
    return false;
  }

  /// A claim that no Service lists goes, when it is old enough and was made by an API server.
  private boolean checkClaim(ObjectNode claim) {
    String name = Json.textOr(claim, "", "metadata", "name");
    boolean ours =
        Json.textOr(claim, "", "metadata", "labels", ServiceClaims.MANAGED_BY)
            .equals(ServiceClaims.ALLOCATOR);
    if (!ours) {
      return true;
    }
    JsonNode parent = claim.at("/spec/parentRef");
    if (!parent.path("resource").asString("").equals("services")
        || !parent.path("group").asString("").isEmpty()) {
      events.about(claim, "IPAddressWrongReference", "IPAddress: " + name + " is not of a Service");
      return true;
    }
    Instant made =
        Instant.parse(Json.textOr(claim, "1970-01-01T00:00:00Z", "metadata", "creationTimestamp"));
    if (made.plus(GRACE).isAfter(clock.instant())) {
      return false;
    }
    String namespace = parent.path("namespace").asString("");
    String service = parent.path("name").asString("");
    CachedObject owner = caches.of("", "services").get(namespace, service);
    String key = "/registry/services/specs/" + namespace + "/" + service;
    Write still = new Write.Check(key, owner == null ? Write.ABSENT : owner.revision());
    if (ClaimRepair.done(
        store, List.of(still, new Write.Delete(ServiceClaims.ADDRESSES + name, revision(claim))))) {
      events.about(
          claim,
          "IPAddressNotAllocated",
          "IPAddress: "
              + name
              + " for Service "
              + namespace
              + "/"
              + service
              + " appears to have leaked: cleaning up");
    }
    return false;
  }

  /// Whether the Service that the claim names lists the address.
  private boolean isHeld(ObjectNode claim, IpAddress address) {
    JsonNode parent = claim.at("/spec/parentRef");
    ObjectNode owner =
        caches
            .reader()
            .get(
                "",
                "services",
                parent.path("namespace").asString(""),
                parent.path("name").asString(""));
    return owner != null
        && ServiceClaims.addresses(owner.path("spec")).contains(address.toString());
  }

  private List<Cidr> ranges() {
    List<Cidr> ranges = new ArrayList<>();
    for (ObjectNode range : caches.reader().list(ServiceClaims.GROUP, "servicecidrs", "")) {
      for (JsonNode text : range.at("/spec/cidrs")) {
        Cidr cidr = Cidr.parseOrNull(text.asString(""));
        if (cidr != null) {
          ranges.add(cidr);
        }
      }
    }
    return ranges;
  }

  private static boolean isOf(ObjectNode claim, ObservedService seen) {
    return ServiceClaims.isOf(claim, seen.namespace(), seen.name());
  }

  private static long revision(ObjectNode object) {
    return Long.parseLong(Json.textOr(object, "0", "metadata", "resourceVersion"));
  }
}
