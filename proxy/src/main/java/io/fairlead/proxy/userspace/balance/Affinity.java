package io.fairlead.proxy.userspace.balance;

import io.fairlead.api.net.IpAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which client has which target. Guarded by itself. Holds so many clients at most; then those not
/// seen for longest are forgotten.
final class Affinity {
  private static final int MOST = 1 << 16;
  private static final long SECOND = 1_000_000_000L;

  private record Kept(PooledEndpoint target, long at) {}

  private final LinkedHashMap<IpAddress, Kept> clients = new LinkedHashMap<>(16, 0.75f, true);

  /// The target of a client, if it was used less than so many whole seconds ago.
  synchronized @Nullable PooledEndpoint get(IpAddress client, int seconds, long now) {
    Kept kept = clients.get(client);
    if (kept == null) {
      return null;
    }
    if ((now - kept.at) / SECOND >= seconds) {
      clients.remove(client);
      return null;
    }
    clients.put(client, new Kept(kept.target, now));
    return kept.target;
  }

  synchronized void put(IpAddress client, PooledEndpoint target, long now) {
    clients.put(client, new Kept(target, now));
    if (clients.size() > MOST) {
      clients.pollFirstEntry();
    }
  }

  /// Forgets clients of targets that are gone.
  synchronized void keepOnly(Set<PooledEndpoint> targets) {
    clients.values().removeIf(kept -> !targets.contains(kept.target));
  }

  /// Forgets clients whose time is over, oldest first.
  synchronized void sweep(int seconds, long now) {
    var entries = clients.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<IpAddress, Kept> eldest = entries.next();
      if ((now - eldest.getValue().at) / SECOND < seconds) {
        return;
      }
      entries.remove();
    }
  }

  synchronized int size() {
    return clients.size();
  }
}
