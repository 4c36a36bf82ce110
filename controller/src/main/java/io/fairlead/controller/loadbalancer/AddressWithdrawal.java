package io.fairlead.controller.loadbalancer;

import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.AnnouncerLeaseNames;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/// Waits until no node answers for an address any more, for a short while. What nodes answer for
/// stands in their announcer Leases.
///
/// Safe for any threads.
final class AddressWithdrawal {
  static final Duration LONGEST = Duration.ofSeconds(3);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Client client;
  private final Ticker ticker;
  private final Map<ObjectKey, Long> began = new ConcurrentHashMap<>();

  AddressWithdrawal(Client client, Ticker ticker) {
    this.client = client;
    this.ticker = ticker;
  }

  /// Notes that a Service is on its way out; true the first time.
  boolean begin(ObjectKey service) {
    return began.putIfAbsent(service, ticker.nanos()) == null;
  }

  /// How long to wait before looking again; empty when nothing is left to wait for.
  Optional<Duration> wait(ObjectKey service, List<IpAddress> addresses) {
    long since = began.getOrDefault(service, ticker.nanos());
    boolean patient = ticker.nanos() - since < LONGEST.toNanos();
    return patient && !addresses.isEmpty() && isAnnounced(addresses)
        ? Optional.of(LOOK)
        : Optional.empty();
  }

  void forget(ObjectKey service) {
    began.remove(service);
  }

  private boolean isAnnounced(List<IpAddress> addresses) {
    Set<String> announced = new HashSet<>();
    try {
      for (ObjectNode lease :
          client
              .list(
                  ResourceType.LEASES,
                  AnnouncerLeaseNames.NAMESPACE,
                  ListOptions.ALL.labelled(AnnouncerLeaseNames.LABEL))
              .items()) {
        String list =
            Json.textOr(lease, "", "metadata", "annotations", AnnouncerLeaseNames.ANNOUNCES);
        announced.addAll(List.of(list.split(",", -1)));
      }
    } catch (ApiException _) {
      // Not worth holding a deletion up for.
      return false;
    }
    return addresses.stream().anyMatch(address -> announced.contains(address.toString()));
  }
}
