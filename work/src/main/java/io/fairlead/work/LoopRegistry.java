package io.fairlead.work;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// All loops of this process, by kind. One for the process, as threads are: metrics and health
/// checks of every component read it. Safe for all threads; no lock is held while a loop works.
public final class LoopRegistry {
  private static final Map<String, Kind> KINDS = new ConcurrentHashMap<>();
  private static final InstantSource CLOCK = InstantSource.system();

  private LoopRegistry() {}

  /// The counters of one kind. They outlive its loops.
  static final class Kind {
    final Set<SupervisedLoop> running = ConcurrentHashMap.newKeySet();
    final LongAdder steps = new LongAdder();
    final LongAdder restarts = new LongAdder();
    private volatile @Nullable Failure last;

    void failed(Throwable cause) {
      restarts.increment();
      last = new Failure(String.valueOf(cause), now());
    }
  }

  private record Failure(String text, Instant at) {}

  static Kind kind(String name) {
    return KINDS.computeIfAbsent(name, _ -> new Kind());
  }

  static Instant now() {
    return CLOCK.instant();
  }

  /// The running loops of a kind.
  static List<SupervisedLoop> running(String kind) {
    Kind found = KINDS.get(kind);
    return found == null ? List.of() : List.copyOf(found.running);
  }

  /// Every kind that was ever started in this process, in alphabetical order.
  public static List<LoopStatus> statuses() {
    List<LoopStatus> statuses = new ArrayList<>();
    KINDS.forEach((name, kind) -> statuses.add(status(name, kind)));
    statuses.sort(Comparator.comparing(LoopStatus::kind));
    return statuses;
  }

  private static LoopStatus status(String name, Kind kind) {
    Instant since = null;
    for (SupervisedLoop loop : kind.running) {
      Instant failing = loop.failingSince();
      if (failing != null && (since == null || failing.isBefore(since))) {
        since = failing;
      }
    }
    Failure last = kind.last;
    return new LoopStatus(
        name,
        kind.running.size(),
        kind.steps.sum(),
        kind.restarts.sum(),
        last == null ? null : last.text,
        last == null ? null : last.at,
        since);
  }

  /// The kinds with a loop that has not had a good step for at least that long: what a health check
  /// reports.
  public static List<LoopStatus> failingFor(Duration time) {
    Instant before = now().minus(time);
    return statuses().stream()
        .filter(one -> one.failingSince() != null && !one.failingSince().isAfter(before))
        .toList();
  }
}
