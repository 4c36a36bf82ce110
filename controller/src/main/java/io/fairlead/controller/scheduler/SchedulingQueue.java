package io.fairlead.controller.scheduler;

import io.fairlead.client.ObjectKey;
import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Pods that wait for a place: first the more important, then the older. One for which there was
/// none waits until something has changed in the cluster and its pause is over, or five minutes.
///
/// Guarded by its own monitor.
final class SchedulingQueue {
  private static final Backoff PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));
  private static final Duration AT_LATEST = Duration.ofMinutes(5);
  private static final Comparator<PodInfo> ORDER =
      Comparator.comparingInt(PodInfo::priority)
          .reversed()
          .thenComparing(PodInfo::created)
          .thenComparing(pod -> pod.key().namespace())
          .thenComparing(pod -> pod.key().name());

  private static final class Refused {
    private final PodInfo pod;
    private final long pauseEnds;
    private final long latest;
    private boolean changed;

    Refused(PodInfo pod, long pauseEnds, long latest) {
      this.pod = pod;
      this.pauseEnds = pauseEnds;
      this.latest = latest;
    }

    long due() {
      return changed ? pauseEnds : latest;
    }
  }

  private final Ticker ticker;
  private final TreeSet<PodInfo> ready = new TreeSet<>(ORDER);
  private final Map<ObjectKey, PodInfo> known = new HashMap<>();
  private final Map<ObjectKey, Refused> refused = new HashMap<>();
  private final Map<ObjectKey, Integer> attempts = new HashMap<>();

  SchedulingQueue(Ticker ticker) {
    this.ticker = ticker;
  }

  /// A pod that waits, as the server shows it now.
  synchronized void put(PodInfo pod) {
    PodInfo old = known.put(pod.key(), pod);
    if (old != null) {
      ready.remove(old);
      Refused turned = refused.get(pod.key());
      if (turned != null
          && old.metadata().generation() == pod.metadata().generation()
          && old.labels().equals(pod.labels())
          && old.gated() == pod.gated()) {
        Refused same = new Refused(pod, turned.pauseEnds, turned.latest);
        same.changed = turned.changed;
        refused.put(pod.key(), same);
        return;
      }
      refused.remove(pod.key());
    }
    ready.add(pod);
  }

  /// A pod that waits no longer.
  synchronized void remove(ObjectKey key) {
    PodInfo old = known.remove(key);
    if (old != null) {
      ready.remove(old);
    }
    refused.remove(key);
    attempts.remove(key);
  }

  /// The next one to find a place for; it still waits until it is removed or refused.
  synchronized Optional<PodInfo> next() {
    long now = ticker.nanos();
    refused
        .values()
        .removeIf(
            one -> {
              boolean due = one.due() - now <= 0;
              if (due) {
                ready.add(one.pod);
              }
              return due;
            });
    return Optional.ofNullable(ready.pollFirst());
  }

  /// There was no place for it.
  synchronized void refuse(PodInfo pod) {
    PodInfo newest = known.get(pod.key());
    if (newest == null) {
      return;
    }
    int before = attempts.merge(pod.key(), 1, Integer::sum) - 1;
    long now = ticker.nanos();
    ready.remove(newest);
    refused.put(
        pod.key(),
        new Refused(newest, now + PAUSE.after(before).toNanos(), now + AT_LATEST.toNanos()));
  }

  /// Something changed that may have made space.
  synchronized void clusterChanged() {
    refused.values().forEach(one -> one.changed = true);
  }

  /// How long until the next one is due; empty when none waits.
  synchronized Optional<Duration> untilNext() {
    if (!ready.isEmpty()) {
      return Optional.of(Duration.ZERO);
    }
    long now = ticker.nanos();
    return refused.values().stream()
        .map(one -> Duration.ofNanos(Math.max(0, one.due() - now)))
        .min(Duration::compareTo);
  }
}
