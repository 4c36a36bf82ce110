package io.fairlead.store.etcd;

import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Leases that delete keys after their time. Keys written within a short while of each other share
/// one, because etcd's cost is per lease; the share is lengthened by that while, so that no key
/// goes early.
final class Leases {
  private static final int SHARE = 20;
  private static final long LONGEST_SHARE_SECONDS = 60;
  private static final int KEYS_PER_LEASE = 1000;

  private final EtcdClient client;
  private final LongSupplier nanoClock;
  private final Map<Long, Lease> byTtl = new HashMap<>();

  private record Lease(long id, long sharedUntilNanos, int keys) {}

  Leases(EtcdClient client, LongSupplier nanoClock) {
    this.client = client;
    this.nanoClock = nanoClock;
  }

  /// The lease to write a key with that lives about so long.
  long lease(long ttlSeconds) {
    long now = nanoClock.getAsLong();
    Lease shared = share(ttlSeconds, now);
    if (shared != null) {
      return shared.id();
    }
    long while_ = Math.min(ttlSeconds / SHARE, LONGEST_SHARE_SECONDS);
    LeaseGrantRequest request = LeaseGrantRequest.newBuilder().setTTL(ttlSeconds + while_).build();
    // A lease granted twice by a repeated call is unused and ends by itself.
    long id =
        client
            .read(
                channel ->
                    LeaseGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(10, TimeUnit.SECONDS)
                        .leaseGrant(request))
            .getID();
    remember(ttlSeconds, new Lease(id, now + TimeUnit.SECONDS.toNanos(while_), 1));
    return id;
  }

  private synchronized @Nullable Lease share(long ttlSeconds, long now) {
    Lease lease = byTtl.get(ttlSeconds);
    if (lease == null || lease.sharedUntilNanos() - now <= 0 || lease.keys() >= KEYS_PER_LEASE) {
      return null;
    }
    byTtl.put(ttlSeconds, new Lease(lease.id(), lease.sharedUntilNanos(), lease.keys() + 1));
    return lease;
  }

  private synchronized void remember(long ttlSeconds, Lease lease) {
    byTtl.put(ttlSeconds, lease);
  }
}
