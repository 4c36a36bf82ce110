package io.fairlead.server.flowcontrol;

import io.fairlead.server.flowcontrol.PriorityLevelSpec.Queuing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The seats and queues of one priority level. Guarded by the lock of the [SeatDispatcher].
///
/// How it works: start-time fair queueing (Goyal, Vin and Cheng, 1996). Every queue carries how
/// long its requests were served. The queue with the least of it is next, and its mark becomes the
/// level's virtual time; a queue that was empty begins there. So queues that always have requests
/// get the same time, whatever their requests cost, and an idle one saves nothing up. How long a
/// request takes is not known when it begins: it is charged a guess, and the truth when it ends.
final class PriorityLevel {
  /// What a request is taken to cost until it is known. Most take less.
  static final long GUESS_NANOS = 3_000_000;

  private final String name;
  private final Map<Integer, FairQueue> queues = new TreeMap<>();
  private final List<FairQueue> active = new ArrayList<>();
  private PriorityLevelSpec spec;
  private SeatLimits limits = new SeatLimits(0, 0, 0);
  private int inUse;
  private int waiting;
  private double virtualTime;

  PriorityLevel(PriorityLevelSpec spec) {
    this.name = spec.name();
    this.spec = spec;
  }

  String name() {
    return name;
  }

  PriorityLevelSpec spec() {
    return spec;
  }

  SeatLimits limits() {
    return limits;
  }

  void configure(PriorityLevelSpec newSpec) {
    spec = newSpec;
  }

  void limit(SeatLimits newLimits) {
    limits = newLimits;
  }

  int inUse() {
    return inUse;
  }

  int waiting() {
    return waiting;
  }

  boolean isIdle() {
    return inUse == 0 && waiting == 0;
  }

  /// The queues that hold requests or serve them, by their numbers.
  Collection<FairQueue> queues() {
    return Collections.unmodifiableCollection(queues.values());
  }

  /// How full it is: the emptiest level gets the next seat that several could use.
  double load() {
    return (double) inUse / Math.max(limits.nominal(), 0.5);
  }

  /// How many of its seats others may use now.
  int toLend() {
    return Math.clamp(limits.nominal() - (long) inUse, 0, limits.lendable());
  }

  /// How many seats of others it uses.
  int borrowed() {
    return spec.exempt() ? 0 : Math.max(0, inUse - limits.nominal());
  }

  /// Whether it can take one more seat that no other level can claim. Every level can serve one
  /// request, whatever its part is.
  boolean hasOwnSeat() {
    return spec.exempt() || inUse == 0 || inUse < limits.lower();
  }

  boolean isAtUpperLimit() {
    return inUse >= limits.upper();
  }

  void take() {
    inUse++;
  }

  /// A request is done, and its seat is free. An idle level forgets what its queues were served.
  void giveBack() {
    inUse--;
    if (isIdle()) {
      queues.clear();
      virtualTime = 0;
    }
  }

  /// Puts a request into the shortest queue of its flow's hand.
  ///
  /// @return null when that is full, or requests of this level do not wait
  @Nullable QueuedRequest enqueue(Flow flow, long hash, long now) {
    Queuing queuing = spec.queuing().orElse(null);
    if (queuing == null) {
      return null;
    }
    FairQueue queue = shortest(ShuffleSharding.hand(hash, queuing.queues(), queuing.handSize()));
    if (queue.waiting() >= queuing.queueLengthLimit()) {
      return null;
    }
    QueuedRequest request = QueuedRequest.waiting(flow, queue, now);
    queue.add(request, virtualTime);
    if (queue.waiting() == 1) {
      active.add(queue);
      queues.put(queue.index(), queue);
    }
    waiting++;
    return request;
  }

  private FairQueue shortest(int[] hand) {
    FairQueue shortest = null;
    int least = Integer.MAX_VALUE;
    for (int index : hand) {
      FairQueue queue = queues.get(index);
      if (queue == null) {
        return new FairQueue(index);
      }
      int length = queue.waiting() + queue.executing();
      if (length < least) {
        least = length;
        shortest = queue;
      }
    }
    return shortest == null ? new FairQueue(0) : shortest;
  }

  /// Takes the request that is next out of its queue. There must be one.
  QueuedRequest dequeue() {
    FairQueue next = active.getFirst();
    for (FairQueue queue : active) {
      if (queue.served() < next.served()) {
        next = queue;
      }
    }
    virtualTime = next.served();
    QueuedRequest request = next.next(GUESS_NANOS);
    left(next);
    return request;
  }

  /// Takes a request out that no longer waits for a seat.
  void abandon(QueuedRequest request, FairQueue queue) {
    if (queue.remove(request)) {
      left(queue);
    }
  }

  /// A request that came through a queue is done.
  void settle(FairQueue queue, long cost) {
    queue.settle(GUESS_NANOS, cost);
    forget(queue);
  }

  private void left(FairQueue queue) {
    waiting--;
    if (queue.waiting() == 0) {
      active.remove(queue);
      forget(queue);
    }
  }

  /// Drops a queue without requests, unless it was served more than others.
  private void forget(FairQueue queue) {
    if (queue.waiting() == 0 && queue.executing() == 0 && queue.served() <= virtualTime) {
      queues.remove(queue.index(), queue);
    }
  }
}
