package io.fairlead.server.resources.service;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.allocation.AddressRange;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.store.Write;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The cluster addresses of one Service in one write.
///
/// How it works: the claim of an address is an IPAddress object that is stored in the same commit
/// as the Service, on condition that there is none. Two writers that want the same address collide
/// there; the loser is computed again and sees that it is taken.
final class ClusterIpAllocator {
  private static final String GROUP = ServiceClaims.GROUP;

  private final ServiceNetwork network;
  private final RequestContext context;
  private final ObjectNode service;
  private final List<Write> writes = new ArrayList<>();

  ClusterIpAllocator(ServiceNetwork network, RequestContext context, ObjectNode service) {
    this.network = network;
    this.context = context;
    this.service = service;
  }

  /// Fills in `clusterIP` and `clusterIPs` and returns the claims that are new.
  List<Write> claim(@Nullable JsonNode before) {
    ObjectNode spec = Json.child(service, "spec");
    if (ServiceSpec.isHeadless(spec)) {
      return writes;
    }
    List<String> held =
        before != null && ServiceSpec.needsClusterIp(before)
            ? ServiceSpec.clusterIps(before)
            : List.of();
    List<String> given = ServiceSpec.clusterIps(spec);
    List<String> families = ServiceSpec.ipFamilies(spec);
    List<String> result = new ArrayList<>();
    for (int index = 0; index < Math.max(families.size(), given.size()); index++) {
      String wish = index < given.size() ? given.get(index) : "";
      if (index < held.size()) {
        // Whatever is asked for: validation refuses to change an address that is held.
        result.add(wish.isEmpty() ? held.get(index) : wish);
      } else if (!wish.isEmpty()) {
        claimGiven(wish, spec.path("clusterIPs"));
        result.add(wish);
      } else {
        result.add(claimAny(families.get(index)));
      }
    }
    ArrayNode list = spec.putArray("clusterIPs");
    result.forEach(list::add);
    if (!result.isEmpty()) {
      spec.put("clusterIP", result.getFirst());
    }
    return writes;
  }

  /// Gives back the addresses that `before` holds and `now` does not.
  ///
  /// @param name of the Service
  static List<Write> release(
      String name, JsonNode before, @Nullable JsonNode now, RequestContext context) {
    Set<String> free = new LinkedHashSet<>(ServiceSpec.clusterIps(before));
    if (now != null && ServiceSpec.needsClusterIp(now)) {
      free.removeAll(ServiceSpec.clusterIps(now));
    }
    free.remove(ServiceSpec.NONE);
    List<Write> writes = new ArrayList<>();
    for (String address : free) {
      ObjectNode claim = context.reader().get(GROUP, "ipaddresses", "", address);
      // Two Services with one address can only come from outside; the other keeps it.
      if (claim == null || ServiceClaims.isOf(claim, context.namespace(), name)) {
        writes.add(new Write.Delete(ServiceClaims.ADDRESSES + address, Write.ANY));
      }
    }
    return writes;
  }

  private void claimGiven(String text, JsonNode shown) {
    IpAddress address = IpAddress.parse(text);
    if (configured(address.family()).stream().noneMatch(range -> range.contains(address))
        && ranges(address.family()).stream().noneMatch(range -> range.contains(address))) {
      throw refused(text, shown, "the provided network does not match the current range");
    }
    // A rehearsal keeps nothing, and the original does not look either.
    if (!context.dryRun() && isTaken(address)) {
      throw refused(text, shown, "provided IP is already allocated");
    }
    writes.add(put(address));
  }

  private String claimAny(String familyName) {
    for (IpAddress.Family family : IpAddress.Family.values()) {
      if (!family.toString().equals(familyName)) {
        continue;
      }
      // Another one may have chosen the same a moment ago: the commit notices.
      IpAddress free = pick(configured(family), address -> !isKnown(address));
      if (free == null) {
        free = pick(ranges(family), address -> !isTaken(address));
      }
      if (free != null) {
        writes.add(put(free));
        return free.toString();
      }
    }
    throw ApiException.internal(
        "failed to allocate a serviceIP for Service \"" + name() + "\": range is full");
  }

  private @Nullable IpAddress pick(List<AddressRange> ranges, Predicate<IpAddress> isFree) {
    for (AddressRange range : ranges) {
      IpAddress free = range.pick(isFree, context.random());
      if (free != null) {
        return free;
      }
    }
    return null;
  }

  private boolean isKnown(IpAddress address) {
    return context.reader().isKnown(GROUP, "ipaddresses", "", address.toString());
  }

  private boolean isTaken(IpAddress address) {
    return context.reader().has(GROUP, "ipaddresses", "", address.toString());
  }

  /// The ranges of the flags, which nearly always have what is asked for.
  private List<AddressRange> configured(IpAddress.Family family) {
    return network.cidrs().stream()
        .filter(cidr -> cidr.family() == family)
        .map(AddressRange::new)
        .toList();
  }

  /// The ranges of a family: those of the flags, then those that were added as objects.
  private List<AddressRange> ranges(IpAddress.Family family) {
    Set<Cidr> cidrs = new LinkedHashSet<>(network.cidrs());
    for (ObjectNode added : context.reader().list(GROUP, "servicecidrs", "")) {
      if (isUsable(added)) {
        for (JsonNode text : added.at("/spec/cidrs")) {
          Cidr cidr = Cidr.parseOrNull(text.asString(""));
          if (cidr != null) {
            cidrs.add(cidr.masked());
          }
        }
      }
    }
    return cidrs.stream().filter(cidr -> cidr.family() == family).map(AddressRange::new).toList();
  }

  /// Only a range that is known to be ready gives out addresses, and none that is going away.
  private static boolean isUsable(ObjectNode serviceCidr) {
    for (JsonNode condition : serviceCidr.at("/status/conditions")) {
      if (condition.path("type").asString("").equals("Ready")
          && condition.path("status").asString("").equals("True")) {
        return !serviceCidr.path("metadata").has("deletionTimestamp");
      }
    }
    return false;
  }

  private Write put(IpAddress address) {
    return ServiceClaims.address(
        address, context.namespace(), name(), uid(context.random()), context.clock().instant());
  }

  private ApiException refused(String address, JsonNode shown, String why) {
    return ApiException.invalid(
        "",
        "Service",
        name(),
        List.of(
            FieldError.invalid(
                "spec.clusterIPs", shown, "failed to allocate IP " + address + ": " + why)));
  }

  private String name() {
    return service.at("/metadata/name").asString("");
  }

  /// A random UUID of version 4 from the given source.
  private static UUID uid(RandomGenerator random) {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
    return new UUID(high, low);
  }
}
