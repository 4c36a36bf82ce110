package io.fairlead.proxy.announce;

import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.work.Ticker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The Leases of all announcers and when each was seen to change, by this machine's own clock: what
/// another one's clock says does not matter.
///
/// A node that has not even seen its own renewals was cut off from the API. What it sees of others
/// when it is back is as old as that, so each of them gets the time of a limit to be heard again.
final class AnnouncerLeases implements AutoCloseable {
  private final Informer<ApiObject> informer;
  private final String node;
  private final Ticker ticker;
  private final Runnable changed;
  private final Map<String, Seen> seen = new ConcurrentHashMap<>();
  private volatile Map<String, AnnouncerLease> now = Map.of();
  private volatile long backSince = Long.MIN_VALUE;

  private record Seen(AnnouncerLease lease, String version, long at) {}

  /// @param changed called when a Lease says something new, by any thread
  AnnouncerLeases(
      Client client, String node, TimingSources pacing, Ticker ticker, Runnable changed) {
    this.node = node;
    this.ticker = ticker;
    this.changed = changed;
    this.informer =
        new Informer<>(
            ListWatchFactory.objects(
                client, ResourceType.LEASES, AnnouncerLease.NAMESPACE, AnnouncerLease.LABEL),
            ApiObject::of,
            pacing);
    informer.onChange(ChangeHandler.of(this::renewed, this::removed));
  }

  void start() {
    informer.start();
  }

  private void renewed(ApiObject object) {
    AnnouncerLease lease = AnnouncerLease.of(object.body());
    if (!object.metadata().key().equals(AnnouncerLease.key(lease.node()))) {
      // No node speaks for another.
      return;
    }
    String version = object.metadata().resourceVersion();
    Seen before = seen.get(lease.node());
    if (before != null && before.version.equals(version)) {
      // A new list shows the old state: that is no sign of life.
      return;
    }
    long time = ticker.nanos();
    if (lease.node().equals(node)
        && before != null
        && time - before.at >= before.lease.limit().toNanos()) {
      backSince = time;
    }
    seen.put(lease.node(), new Seen(lease, version, time));
    if (before == null || !before.lease.equals(lease)) {
      publish();
    }
  }

  private void publish() {
    Map<String, AnnouncerLease> all = new HashMap<>();
    seen.forEach((node, each) -> all.put(node, each.lease));
    now = all;
    changed.run();
  }

  private void removed(ApiObject object) {
    seen.remove(AnnouncerLease.of(object.body()).node());
    publish();
  }

  /// What all of them say; the same object while that does not change.
  Map<String, AnnouncerLease> now() {
    return now;
  }

  /// Those that changed within the limit that they themselves name.
  Set<String> fresh() {
    Set<String> fresh = new HashSet<>();
    long time = ticker.nanos();
    seen.forEach(
        (name, each) -> {
          long heard = name.equals(node) ? each.at : Math.max(each.at, backSince);
          if (time - heard < each.lease.limit().toNanos()) {
            fresh.add(name);
          }
        });
    return fresh;
  }

  @Override
  public void close() {
    informer.close();
  }
}
