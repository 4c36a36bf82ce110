package io.fairlead.server.paths;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.cache.Caches;
import io.fairlead.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether what clients read follows the store: its watch is open, and the last probe saw the cache
/// reach the store's newest revision in time. A probe may wait for the store, so it runs beside;
/// asking does not wait.
public final class WatchCacheSyncCheck implements HealthChecks.Check {
  private static final Logger log = LoggerFactory.getLogger(WatchCacheSyncCheck.class);

  private final Caches caches;
  private volatile boolean reached = true;

  public WatchCacheSyncCheck(Caches caches) {
    this.caches = caches;
  }

  @Override
  public boolean isWell() {
    return reached && caches.isFollowing();
  }

  /// Compares the cache with the store. One thread at a time.
  public void probe() {
    try {
      caches.awaitFresh();
      if (!reached) {
        log.atInfo().log("the cache follows the store again");
      }
      reached = true;
    } catch (StoreException | ApiException e) {
      if (reached) {
        log.atWarn().setCause(e).log("the cache does not follow the store");
      }
      reached = false;
    }
  }
}
