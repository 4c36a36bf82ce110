package io.fairlead.controller.loadbalancer;

import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.AnnouncerLeaseNames;
import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ApiObject;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// Knows which addresses some node announces, from the Leases of the announcers. Watches them only
/// where a pool is announced. Safe for any threads.
final class AnnouncementMonitor implements AutoCloseable {
  /// How often announcers that have gone silent are looked for.
  static final Duration LOOK = Duration.ofSeconds(5);

  // A Lease is believed a little longer than announcers do: this is for people.
  private static final long SLACK = Duration.ofSeconds(3).toNanos();
  private static final long STANDARD_LIMIT = 1500;

  private final Informer<ApiObject> leases;
  private final Ticker ticker;
  private final Map<ObjectKey, Statement> said = new ConcurrentHashMap<>();
  private volatile boolean started;
  // What the last look saw.
  private volatile Set<IpAddress> seen = Set.of();

  /// What a node says, and since when it is known.
  private record Statement(
      String text,
      Set<IpAddress> announced,
      Set<IpAddress> inUse,
      long limit,
      String version,
      long at) {
    Statement renewed(long newLimit, String newVersion, long now) {
      return new Statement(text, announced, inUse, newLimit, newVersion, now);
    }

    boolean isFresh(long now) {
      return now - at < limit + SLACK;
    }
  }

  /// @param changed called when a node announces something else, by any thread
  AnnouncementMonitor(ControllerContext wiring, Runnable changed) {
    this.ticker = wiring.pacing().ticker();
    this.leases =
        new Informer<>(
            ListWatchFactory.objects(
                wiring.client(),
                ResourceType.LEASES,
                AnnouncerLeaseNames.NAMESPACE,
                AnnouncerLeaseNames.LABEL),
            ApiObject::of,
            wiring.pacing());
    leases.onChange(
        ChangeHandler.of(
            lease -> {
              if (read(lease)) {
                changed.run();
              }
            },
            lease -> {
              said.remove(lease.metadata().key());
              changed.run();
            }));
  }

  /// Begins to watch when a pool is announced. True when that is now.
  boolean follow(LoadBalancerPools pools) {
    if (started
        || pools.usable().stream().allMatch(pool -> pool.announcement() == Announcement.NONE)) {
      return false;
    }
    started = true;
    leases.start();
    return true;
  }

  /// Whether it is known what nodes announce. Without, nothing can be said.
  boolean isKnown() {
    return started && leases.hasSynced();
  }

  private boolean read(ApiObject lease) {
    ObjectKey key = lease.metadata().key();
    String version = lease.metadata().resourceVersion();
    Statement before = said.get(key);
    if (before != null && before.version.equals(version)) {
      return false;
    }
    String announces = annotation(lease, AnnouncerLeaseNames.ANNOUNCES);
    String routes = annotation(lease, AnnouncerLeaseNames.ROUTES);
    String inUse = annotation(lease, AnnouncerLeaseNames.IN_USE);
    String text = announces + ";" + routes + ";" + inUse;
    if (before != null && before.text.equals(text)) {
      // A renewal, twice a second: nothing is read again.
      said.put(key, before.renewed(limit(lease), version, ticker.nanos()));
      return false;
    }
    Set<IpAddress> announced = addresses(announces);
    announced.addAll(addresses(routes));
    said.put(
        key,
        new Statement(text, announced, addresses(inUse), limit(lease), version, ticker.nanos()));
    return true;
  }

  private static String annotation(ApiObject lease, String key) {
    return Json.textOr(lease.body(), "", "metadata", "annotations", key);
  }

  private static Set<IpAddress> addresses(String text) {
    Set<IpAddress> all = new TreeSet<>();
    for (String one : text.split(",", -1)) {
      IpAddress address = IpAddress.parseOrNull(one);
      if (address != null) {
        all.add(address);
      }
    }
    return all;
  }

  private static long limit(ApiObject lease) {
    String text = annotation(lease, AnnouncerLeaseNames.LIMIT);
    long millis = text.matches("\\d{1,7}") ? Long.parseLong(text) : STANDARD_LIMIT;
    return Duration.ofMillis(millis).toNanos();
  }

  boolean isAnnounced(IpAddress address) {
    long now = ticker.nanos();
    return said.values().stream()
        .anyMatch(each -> each.announced.contains(address) && each.isFresh(now));
  }

  /// Whether a node has found that another machine has the address.
  boolean isInUse(IpAddress address) {
    return said.values().stream().anyMatch(each -> each.inUse.contains(address));
  }

  private Set<IpAddress> announced() {
    Set<IpAddress> all = new HashSet<>();
    long now = ticker.nanos();
    said.values()
        .forEach(
            each -> {
              if (each.isFresh(now)) {
                all.addAll(each.announced);
              }
            });
    return all;
  }

  /// The addresses that are announced now and were not at the last look, or the other way.
  synchronized Set<IpAddress> changes() {
    Set<IpAddress> now = announced();
    Set<IpAddress> changes = new HashSet<>(now);
    changes.removeAll(seen);
    seen.stream().filter(address -> !now.contains(address)).forEach(changes::add);
    seen = now;
    return changes;
  }

  @Override
  public void close() {
    leases.close();
  }
}
