package io.fairlead.controller.loadbalancer;

import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Decides what the condition `fairlead.dev/LoadBalancerReady` of a Service is to say: `False` when
/// it has lacked an address, or a node that announces it, for a while; `True` only after that. A
/// Service that always worked is never written to.
///
/// Safe for any threads; of one Service only one asks at a time.
final class ReadyConditions {
  /// How long something must be wrong before the condition says so.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String NO_ADDRESS = "NoAddress";
  private static final String NO_ANNOUNCER = "NoAnnouncer";
  private static final String ADDRESS_IN_USE = "AddressInUse";

  /// One of them follows the other while a machine that is no node comes and goes.
  private static final Set<String> UNANNOUNCED = Set.of(NO_ANNOUNCER, ADDRESS_IN_USE);

  private final AnnouncementMonitor monitor;
  private final AllocationEvents events;
  private final LoadBalancerWriter writer;
  private final Ticker ticker;
  // Since when a Service lacks something, and what was said about it.
  private final Map<ObjectKey, Lack> lacks = new ConcurrentHashMap<>();

  /// @param pending whether it is an address that lacks, else a node that announces it
  private record Lack(long since, String said, boolean pending) {}

  /// @param condition to be written; null to leave conditions alone
  /// @param again when to look again; empty for not
  record Verdict(@Nullable V1Condition condition, Optional<Duration> again) {}

  ReadyConditions(
      AnnouncementMonitor monitor,
      AllocationEvents events,
      LoadBalancerWriter writer,
      Ticker ticker) {
    this.monitor = monitor;
    this.events = events;
    this.writer = writer;
    this.ticker = ticker;
  }

  /// Looks at what a Service has now. Tells of what it lacks in events.
  Verdict judge(BalancedService service, AddressAllocation now, LoadBalancerPools pools) {
    boolean complete = now.pending().isComplete();
    Set<IpAddress> silent = complete ? unannounced(now, pools) : Set.of();
    if (complete && silent.isEmpty()) {
      lacks.remove(service.key());
      return new Verdict(ready(service), Optional.empty());
    }
    Lack lack = complete ? remember(service, silent) : tell(service, now.pending());
    if (isSaid(service, complete ? UNANNOUNCED : Set.of(NO_ADDRESS))) {
      return new Verdict(null, Optional.empty());
    }
    long left = lack.since() + PATIENCE.toNanos() - ticker.nanos();
    if (left > 0) {
      return new Verdict(null, Optional.of(Duration.ofNanos(left)));
    }
    return new Verdict(
        complete
            ? tellSilent(service, silent)
            : writer.condition(false, NO_ADDRESS, now.pending().toString()),
        Optional.empty());
  }

  void forget(ObjectKey service) {
    lacks.remove(service);
  }

  /// Whether its condition is `False` for one of these reasons.
  private static boolean isSaid(BalancedService service, Set<String> reasons) {
    return bad(service).filter(condition -> reasons.contains(condition.reason())).isPresent();
  }

  private static Optional<V1Condition> bad(BalancedService service) {
    return V1Condition.find(service.conditions(), BalancedService.READY)
        .filter(condition -> condition.status().equals("False"));
  }

  /// Good news is written only after bad.
  private @Nullable V1Condition ready(BalancedService service) {
    return bad(service).isPresent()
        ? writer.condition(true, "Allocated", "it has its addresses")
        : null;
  }

  /// Those of its addresses that a node should announce and none does.
  private Set<IpAddress> unannounced(AddressAllocation now, LoadBalancerPools pools) {
    if (!monitor.isKnown()) {
      return Set.of();
    }
    Set<IpAddress> silent = new TreeSet<>();
    for (IpAddress address : now.addresses()) {
      boolean wanted =
          pools.of(address).filter(pool -> pool.announcement() != Announcement.NONE).isPresent();
      if (wanted && !monitor.isAnnounced(address)) {
        silent.add(address);
      }
    }
    return silent;
  }

  private Lack remember(BalancedService service, Set<IpAddress> silent) {
    Lack before = lacks.get(service.key());
    if (before != null && !before.pending()) {
      return before;
    }
    Lack lack = new Lack(ticker.nanos(), silent.toString(), false);
    lacks.put(service.key(), lack);
    return lack;
  }

  private V1Condition tellSilent(BalancedService service, Set<IpAddress> silent) {
    boolean inUse = silent.stream().anyMatch(monitor::isInUse);
    events.unannounced(service, silent, inUse);
    String all = String.join(", ", silent.stream().map(IpAddress::toString).toList());
    return inUse
        ? writer.condition(false, ADDRESS_IN_USE, "another machine has " + all + " (FL402)")
        : writer.condition(false, NO_ANNOUNCER, "no node announces " + all + " (FL403)");
  }

  /// Tells once of each reason.
  private Lack tell(BalancedService service, AddressAllocation.Pending pending) {
    Lack before = lacks.get(service.key());
    String said = pending.code() + pending.message();
    if (before != null && before.said().equals(said)) {
      return before;
    }
    long since = before != null && before.pending() ? before.since() : ticker.nanos();
    Lack lack = new Lack(since, said, true);
    lacks.put(service.key(), lack);
    events.warning(service, "SyncLoadBalancerFailed", pending.toString());
    return lack;
  }
}
