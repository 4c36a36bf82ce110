package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes what the node says of itself: regularly, and at once when it changes. The loop
/// `announce-lease` does; a request that hangs is given up soon, for it renews nothing.
///
/// What to write is given with the moment at which it was decided and is not written when that is
/// long ago: a process that was stopped must decide again first.
final class LeaseRenewal implements AutoCloseable {
  static final String LOOP = "announce-lease";
  private static final Logger log = LoggerFactory.getLogger(LeaseRenewal.class);
  private static final Duration REQUEST_LIMIT = Duration.ofMillis(1000);
  private static final long STALE = Duration.ofMillis(300).toNanos();
  private static final long RETRY = Duration.ofMillis(100).toNanos();

  /// What is to be written.
  ///
  /// @param at when that was decided
  record Statement(AnnouncerLease lease, Duration period, long at) {}

  /// Learns what was written.
  interface Listener {
    void written(Set<IpAddress> announced, Duration limit, long began, long took);
  }

  private final Client client;
  private final ObjectKey key;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Listener listener;
  private final SupervisedLoop loop;
  // Permits: one when the statement has changed.
  private final Semaphore changes = new Semaphore(0);
  private volatile @Nullable Statement statement;
  // Owned by the loop's thread.
  private @Nullable AnnouncerLease written;
  private long next;
  private boolean started;
  private boolean failing;

  LeaseRenewal(Client client, String node, InstantSource clock, Ticker ticker, Listener listener) {
    this.client = client;
    this.key = AnnouncerLease.key(node);
    this.clock = clock;
    this.ticker = ticker;
    this.listener = listener;
    this.loop = SupervisedLoop.of(LOOP).build(this::step);
  }

  void start() {
    loop.start();
  }

  /// Says what is to be written from now on. Never blocks.
  void say(Statement now) {
    Statement before = statement;
    statement = now;
    if (before == null || !before.lease.equals(now.lease)) {
      changes.release();
    }
  }

  private void step() throws InterruptedException {
    long now = ticker.nanos();
    Statement say = statement;
    if (say == null || now - say.at >= STALE) {
      pause(RETRY);
      return;
    }
    boolean due = !started || next - now <= 0 || (!failing && !say.lease.equals(written));
    if (!due) {
      pause(Math.max(1, next - now));
      return;
    }
    started = true;
    try {
      write(say.lease);
      written = say.lease;
      next = now + say.period.toNanos();
      failing = false;
      listener.written(say.lease.announces(), say.lease.limit(), now, ticker.nanos() - now);
    } catch (ApiException | ConnectionException e) {
      next = ticker.nanos() + RETRY;
      // What the server has is not known.
      written = null;
      if (!failing) {
        failing = true;
        log.atWarn()
            .addKeyValue("lease", key)
            .addKeyValue("why", e.getMessage())
            .log("the announcer's Lease was not renewed, trying again");
      }
    }
  }

  /// Ends early when there is something new to say.
  private void pause(long nanos) throws InterruptedException {
    boolean _ = changes.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    int _ = changes.drainPermits();
  }

  private void write(AnnouncerLease lease) {
    boolean same = lease.equals(written);
    ObjectNode body =
        same ? AnnouncerLease.renewal(clock.instant()) : lease.toLease(clock.instant());
    try {
      client.raw(
          ApiRequest.with("PATCH", ResourceType.LEASES.path(key), Map.of(), body)
              .ofType(PatchType.MERGE.mediaType())
              .within(REQUEST_LIMIT));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
      client.raw(
          ApiRequest.with(
                  "POST",
                  ResourceType.LEASES.path(key.namespace()),
                  Map.of(),
                  lease.toLease(clock.instant()))
              .within(REQUEST_LIMIT));
    }
  }

  /// Ends, and takes the Lease away so that other nodes do not wait for this one.
  void withdraw() {
    loop.close();
    try {
      client.delete(ResourceType.LEASES, key, DeleteOptions.DEFAULT);
    } catch (ApiException | ConnectionException e) {
      log.atDebug().addKeyValue("why", e.getMessage()).log("the announcer's Lease stays");
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
