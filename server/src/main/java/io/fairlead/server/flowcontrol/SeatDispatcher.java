package io.fairlead.server.flowcontrol;

import io.fairlead.work.Ticker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Decides which requests are served, which wait and which are refused. It never blocks: who waits
/// does so outside, for [QueuedRequest#decided].
///
/// How it works: a seat is the right to be served. Every level has a part of the server's seats, of
/// which it lends some. A level that has used up what cannot be lent takes a further seat only
/// while the seats that levels have borrowed are fewer than those that are there to be lent. So the
/// levels together never hold more seats than the server has, and what is not lent is free at once
/// for its owner; a seat that was lent comes back when the request on it is done. Whenever a seat
/// becomes free or limits change, waiting requests get what they can: the level that is the least
/// full first. So nothing ever waits while it could be served.
///
/// One lock guards all of it, for memory work only. A request that finds its level's own seats free
/// takes it twice, for some additions, and allocates one small object.
final class SeatDispatcher {
  private static final SeatLimits NO_SEATS = new SeatLimits(0, 0, 0);

  private final Ticker ticker;
  private final int total;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, PriorityLevel> levels = new TreeMap<>();
  private final Map<String, Map<String, Flow>> flows = new TreeMap<>();
  private Set<String> current = Set.of();
  private int waiting;

  /// @param total how many requests the server serves at once, those of exempt levels aside
  SeatDispatcher(int total, Ticker ticker) {
    this.total = total;
    this.ticker = ticker;
  }

  /// What came of an arrival: a request, or the reason why it is refused.
  sealed interface Arrival {
    record Accepted(QueuedRequest request) implements Arrival {}

    record Refused(Refusal why) implements Arrival {}
  }

  /// What a level does now.
  ///
  /// @param leaving whether its object is gone
  record LevelCounts(
      PriorityLevelSpec spec,
      SeatLimits limits,
      int inUse,
      int waiting,
      List<QueueCounts> queues,
      boolean leaving) {
    LevelCounts {
      queues = List.copyOf(queues);
    }
  }

  /// What a queue does now.
  record QueueCounts(int index, int waiting, int executing) {}

  /// From now on there are these levels. One that is gone stays until its requests are done.
  ///
  /// @return the levels by name
  Map<String, PriorityLevel> configure(Collection<PriorityLevelSpec> specs) {
    lock.lock();
    try {
      Map<String, PriorityLevel> wanted = new LinkedHashMap<>();
      for (PriorityLevelSpec spec : specs) {
        PriorityLevel level = levels.computeIfAbsent(spec.name(), _ -> new PriorityLevel(spec));
        level.configure(spec);
        wanted.put(spec.name(), level);
      }
      current = Set.copyOf(wanted.keySet());
      levels.values().removeIf(level -> level.isIdle() && !current.contains(level.name()));
      flows.keySet().retainAll(levels.keySet());
      List<PriorityLevelSpec> all = levels.values().stream().map(PriorityLevel::spec).toList();
      Map<String, SeatLimits> limits = SeatLimits.divide(total, all);
      levels.values().forEach(level -> level.limit(limits.getOrDefault(level.name(), NO_SEATS)));
      dispatch();
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  /// The flow of that schema at that level: the same as long as the level is.
  Flow flow(String schema, PriorityLevel level) {
    lock.lock();
    try {
      return flows
          .computeIfAbsent(level.name(), _ -> new TreeMap<>())
          .compute(
              schema,
              (_, known) ->
                  known != null && known.level() == level ? known : new Flow(schema, level));
    } finally {
      lock.unlock();
    }
  }

  /// A request comes. It has a seat, waits, or is refused.
  ///
  /// @param hash what its queues are dealt from; asked only when it must wait
  Arrival arrive(Flow flow, LongSupplier hash) {
    QueuedRequest seated = takeSeat(flow);
    return seated != null ? new Arrival.Accepted(seated) : enqueue(flow, hash.getAsLong());
  }

  private @Nullable QueuedRequest takeSeat(Flow flow) {
    lock.lock();
    try {
      return canTake(flow.level()) ? seated(flow) : null;
    } finally {
      lock.unlock();
    }
  }

  private QueuedRequest seated(Flow flow) {
    flow.level().take();
    flow.begin();
    return QueuedRequest.seated(flow, ticker.nanos());
  }

  private Arrival enqueue(Flow flow, long hash) {
    lock.lock();
    try {
      PriorityLevel level = flow.level();
      if (canTake(level)) {
        return new Arrival.Accepted(seated(flow));
      }
      QueuedRequest request = level.enqueue(flow, hash, ticker.nanos());
      if (request == null) {
        Refusal why =
            level.spec().queuing().isEmpty() ? Refusal.CONCURRENCY_LIMIT : Refusal.QUEUE_FULL;
        flow.refuse(why);
        return new Arrival.Refused(why);
      }
      waiting++;
      flow.queue(1);
      return new Arrival.Accepted(request);
    } finally {
      lock.unlock();
    }
  }

  /// The request is done, and its seat is free for another.
  ///
  /// @return how long it had its seat, in nanoseconds
  long release(QueuedRequest request) {
    lock.lock();
    try {
      long now = ticker.nanos();
      long cost = request.servedNanos(now);
      if (request.state() != QueuedRequest.State.EXECUTING) {
        return cost;
      }
      request.end(now);
      request.flow().end();
      PriorityLevel level = request.flow().level();
      FairQueue queue = request.queue();
      if (queue != null) {
        level.settle(queue, cost);
      }
      level.giveBack();
      dispatch();
      return cost;
    } finally {
      lock.unlock();
    }
  }

  /// The request no longer waits.
  ///
  /// @return whether it had no seat; with one it must be served, or released
  boolean abandon(QueuedRequest request, Refusal why) {
    lock.lock();
    try {
      FairQueue queue = request.queue();
      if (request.state() != QueuedRequest.State.WAITING || queue == null) {
        return request.state() == QueuedRequest.State.OVER;
      }
      request.flow().level().abandon(request, queue);
      waiting--;
      request.flow().queue(-1);
      request.flow().refuse(why);
      request.end(ticker.nanos());
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Whether the request was given up.
  boolean isOver(QueuedRequest request) {
    lock.lock();
    try {
      return request.state() == QueuedRequest.State.OVER;
    } finally {
      lock.unlock();
    }
  }

  /// Gives seats to waiting requests until there are none for them.
  private void dispatch() {
    while (waiting > 0) {
      PriorityLevel next = null;
      for (PriorityLevel level : levels.values()) {
        if (level.waiting() > 0 && (next == null || level.load() < next.load()) && canTake(level)) {
          next = level;
        }
      }
      if (next == null) {
        return;
      }
      QueuedRequest request = next.dequeue();
      waiting--;
      next.take();
      request.flow().queue(-1);
      request.flow().begin();
      request.begin(ticker.nanos());
    }
  }

  private boolean canTake(PriorityLevel level) {
    if (level.hasOwnSeat()) {
      return true;
    }
    if (level.isAtUpperLimit()) {
      return false;
    }
    int borrowed = 0;
    int toLend = 0;
    for (PriorityLevel each : levels.values()) {
      borrowed += each.borrowed();
      toLend += each.toLend();
    }
    return borrowed < toLend;
  }

  /// What all levels do now, by name.
  List<LevelCounts> levels() {
    lock.lock();
    try {
      return levels.values().stream()
          .map(
              level ->
                  new LevelCounts(
                      level.spec(),
                      level.limits(),
                      level.inUse(),
                      level.waiting(),
                      level.queues().stream()
                          .map(
                              queue ->
                                  new QueueCounts(
                                      queue.index(), queue.waiting(), queue.executing()))
                          .toList(),
                      !current.contains(level.name())))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /// What became of the requests until now, by level and schema.
  List<FlowCounts> flows() {
    lock.lock();
    try {
      List<FlowCounts> all = new ArrayList<>();
      flows.values().forEach(ofLevel -> ofLevel.values().forEach(flow -> all.add(flow.counts())));
      return all;
    } finally {
      lock.unlock();
    }
  }
}
