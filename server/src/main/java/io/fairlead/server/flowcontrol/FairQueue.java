package io.fairlead.server.flowcontrol;

import java.util.ArrayDeque;
import java.util.Deque;

/// Requests of a few flows in the order in which they came, and how much service they have had.
/// Guarded by the lock of the [SeatDispatcher].
final class FairQueue {
  private final int index;
  private final Deque<QueuedRequest> waiting = new ArrayDeque<>();
  private int executing;
  private double served;

  FairQueue(int index) {
    this.index = index;
  }

  int index() {
    return index;
  }

  /// Its place among the others: the one that was served least is next. In nanoseconds of the
  /// level's virtual time.
  double served() {
    return served;
  }

  int waiting() {
    return waiting.size();
  }

  int executing() {
    return executing;
  }

  /// Puts a request at the end. A queue that was empty does not catch up on what it did not ask
  /// for.
  void add(QueuedRequest request, double virtualTime) {
    if (waiting.isEmpty()) {
      served = Math.max(served, virtualTime);
    }
    waiting.addLast(request);
  }

  boolean remove(QueuedRequest request) {
    return waiting.remove(request);
  }

  /// Takes the first one out, and charges what it is likely to cost.
  QueuedRequest next(long guess) {
    served += guess;
    executing++;
    return waiting.removeFirst();
  }

  /// One of its requests is done: what it cost takes the place of the guess.
  void settle(long guess, long cost) {
    served += cost - guess;
    executing--;
  }
}
