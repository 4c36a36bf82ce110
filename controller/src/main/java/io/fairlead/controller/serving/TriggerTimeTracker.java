package io.fairlead.controller.serving;

import io.fairlead.client.ObjectKey;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// When the change happened that makes a controller write: what the annotation
/// `endpoints.kubernetes.io/last-change-trigger-time` is for programs that measure how long the
/// network takes to follow.
///
/// How it works: of every Service the moments already written are remembered, its own making and
/// each pod's last change of readiness. Of those that are newer the earliest counts. The first look
/// at a Service has the moment it was made. Deletions and edits have no moment. Each controller has
/// one; safe for many threads as long as no two look at one Service at once.
public final class TriggerTimeTracker {
  /// The annotation, RFC 3339 in UTC.
  public static final String ANNOTATION = "endpoints.kubernetes.io/last-change-trigger-time";

  private record Told(@Nullable Instant made, Map<String, Instant> pods) {}

  private final Map<ObjectKey, Told> told = new ConcurrentHashMap<>();

  /// The moment to write now, empty for none; from now on it counts as written.
  ///
  /// @param pods those the Service selects
  public Optional<Instant> next(Service service, Collection<EndpointPod> pods) {
    Instant made = service.created().orElse(null);
    Map<String, Instant> now = new HashMap<>();
    pods.forEach(pod -> pod.readyChanged().ifPresent(time -> now.put(pod.key().name(), time)));
    Told before = told.put(service.key(), new Told(made, now));
    if (before == null) {
      return service.created();
    }
    Instant earliest = isNewer(made, before.made()) ? made : null;
    for (Map.Entry<String, Instant> pod : now.entrySet()) {
      Instant time = pod.getValue();
      if (isNewer(time, before.pods().get(pod.getKey()))
          && (earliest == null || time.isBefore(earliest))) {
        earliest = time;
      }
    }
    return Optional.ofNullable(earliest);
  }

  /// The Service is gone.
  public void forget(ObjectKey service) {
    told.remove(service);
  }

  private static boolean isNewer(@Nullable Instant time, @Nullable Instant known) {
    return time != null && (known == null || time.isAfter(known));
  }
}
