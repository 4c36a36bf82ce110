package io.fairlead.proxy.monitoring;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Knows whether changes reach the kernel. A family is healthy unless a change has waited too long
/// for it; one family cannot heal the other. Thread-safe.
public final class ProxyHealth {
  private static final class Family {
    private Instant updated;
    private @Nullable Instant pending;
    private boolean programmed;

    Family(Instant updated) {
      this.updated = updated;
    }
  }

  private final InstantSource clock;
  private final Duration patience;
  private final Map<IpAddress.Family, Family> families = new EnumMap<>(IpAddress.Family.class);
  private boolean eligible = true;

  /// @param patience how long a change may wait: twice the sync period
  public ProxyHealth(InstantSource clock, Duration patience) {
    this.clock = clock;
    this.patience = patience;
  }

  /// The loop of a family runs from now on.
  public synchronized void started(IpAddress.Family family) {
    of(family).updated = clock.instant();
  }

  /// Rules of an earlier process are known to be right.
  public synchronized void stands(IpAddress.Family family) {
    of(family).programmed = true;
  }

  private Family of(IpAddress.Family family) {
    return families.computeIfAbsent(family, _ -> new Family(clock.instant()));
  }

  /// A change waits to be written.
  public synchronized void queued(IpAddress.Family family) {
    Family state = of(family);
    if (state.pending == null) {
      state.pending = clock.instant();
    }
  }

  /// Everything that waited is written.
  public synchronized void updated(IpAddress.Family family) {
    Family state = of(family);
    state.pending = null;
    state.updated = clock.instant();
    state.programmed = true;
  }

  /// Whether the node may get traffic from load balancers: not while it is being deleted.
  public synchronized void eligible(boolean now) {
    eligible = now;
  }

  public synchronized boolean isHealthy() {
    return families.values().stream().allMatch(this::isHealthy);
  }

  public synchronized boolean isEligible() {
    return eligible;
  }

  /// Whether no change waits to be written in any family.
  public synchronized boolean isCurrent() {
    return families.values().stream().allMatch(each -> each.pending == null);
  }

  /// Whether the rules of every family were right at least once.
  public synchronized boolean isReady() {
    return !families.isEmpty() && families.values().stream().allMatch(each -> each.programmed);
  }

  private boolean isHealthy(Family family) {
    Instant pending = family.pending;
    return pending == null || !pending.plus(patience).isBefore(clock.instant());
  }

  /// The body of `/healthz`, or of `/livez`, which does not speak of the node.
  synchronized ObjectNode body(boolean withNode) {
    Instant now = clock.instant();
    boolean healthy = isHealthy();
    boolean good = healthy && (eligible || !withNode);
    Instant newest =
        families.values().stream()
            .map(family -> family.updated)
            .max(Instant::compareTo)
            .orElse(now);
    ObjectNode body =
        Json.object()
            .put("lastUpdated", (good ? clock.instant() : newest).toString())
            .put("currentTime", now.toString());
    if (withNode) {
      body.put("nodeEligible", eligible);
    }
    body.put("healthy", healthy);
    ObjectNode status = body.putObject("status");
    families.forEach(
        (family, state) ->
            status
                .putObject(family.toString())
                .put("lastUpdated", state.updated.toString())
                .put("healthy", isHealthy(state)));
    return body;
  }
}
