package io.fairlead.proxy.userspace;

import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.userspace.rules.RedirectRoute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who has which destination. Two service ports may claim the same, by mistake: the first keeps it,
/// and when it lets go the next gets it.
final class DestinationOwners {
  private static final Logger log = LoggerFactory.getLogger(DestinationOwners.class);

  private final Map<RedirectRoute.Destination, LinkedHashMap<ServicePortName, RedirectRoute>>
      claims = new HashMap<>();
  private final Map<RedirectRoute.Destination, @Nullable RedirectRoute> before =
      new LinkedHashMap<>();

  /// What has changed since it was asked last.
  record Changes(List<RedirectRoute> removed, List<RedirectRoute> added) {
    boolean isEmpty() {
      return removed.isEmpty() && added.isEmpty();
    }
  }

  /// Replaces all claims of an owner.
  void set(ServicePortName owner, Collection<RedirectRoute> former, Collection<RedirectRoute> now) {
    for (RedirectRoute route : former) {
      if (now.stream().noneMatch(each -> each.destination().equals(route.destination()))) {
        note(route.destination());
        LinkedHashMap<ServicePortName, RedirectRoute> owners = claims.get(route.destination());
        if (owners != null) {
          owners.remove(owner);
          if (owners.isEmpty()) {
            claims.remove(route.destination());
          }
        }
      }
    }
    for (RedirectRoute route : now) {
      note(route.destination());
      LinkedHashMap<ServicePortName, RedirectRoute> owners =
          claims.computeIfAbsent(route.destination(), _ -> new LinkedHashMap<>());
      if (owners.put(owner, route) == null && owners.size() > 1) {
        log.atError()
            .addKeyValue("service", owner)
            .addKeyValue("destination", route.destination())
            .addKeyValue("owner", owners.firstEntry().getKey())
            .log("Port conflict: another Service has this address and port");
      }
    }
  }

  private void note(RedirectRoute.Destination destination) {
    if (!before.containsKey(destination)) {
      before.put(destination, holder(destination));
    }
  }

  private @Nullable RedirectRoute holder(RedirectRoute.Destination destination) {
    LinkedHashMap<ServicePortName, RedirectRoute> owners = claims.get(destination);
    return owners == null ? null : owners.firstEntry().getValue();
  }

  Changes take() {
    List<RedirectRoute> removed = new ArrayList<>();
    List<RedirectRoute> added = new ArrayList<>();
    before.forEach(
        (destination, was) -> {
          RedirectRoute is = holder(destination);
          if (!Objects.equals(was, is)) {
            if (was != null) {
              removed.add(was);
            }
            if (is != null) {
              added.add(is);
            }
          }
        });
    before.clear();
    return new Changes(removed, added);
  }

  /// All routes that hold.
  List<RedirectRoute> all() {
    return claims.values().stream().map(owners -> owners.firstEntry().getValue()).toList();
  }
}
