package io.fairlead.server.flowcontrol;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// One request at its priority level: it has a seat, or waits for one in a queue.
///
/// The state is guarded by the lock of the [SeatDispatcher]; the latch opens when the request gets
/// its seat or is given up.
final class QueuedRequest {
  /// Where a request is.
  enum State {
    WAITING,
    EXECUTING,
    OVER
  }

  private final Flow flow;
  private final long arrived;
  private final @Nullable FairQueue queue;
  private final @Nullable CountDownLatch decided;
  private State state;
  private long began;

  private QueuedRequest(Flow flow, @Nullable FairQueue queue, State state, long now) {
    this.flow = flow;
    this.queue = queue;
    this.state = state;
    this.decided = queue == null ? null : new CountDownLatch(1);
    this.arrived = now;
    this.began = now;
  }

  /// One that found a free seat.
  static QueuedRequest seated(Flow flow, long now) {
    return new QueuedRequest(flow, null, State.EXECUTING, now);
  }

  static QueuedRequest waiting(Flow flow, FairQueue queue, long now) {
    return new QueuedRequest(flow, queue, State.WAITING, now);
  }

  Flow flow() {
    return flow;
  }

  /// The queue it came through; null when it did not wait.
  @Nullable FairQueue queue() {
    return queue;
  }

  /// Opens when it no longer waits; null when it never did.
  @Nullable CountDownLatch decided() {
    return decided;
  }

  State state() {
    return state;
  }

  /// How long it waited, for its seat or in vain.
  long waitedNanos() {
    return began - arrived;
  }

  /// How long it has had its seat.
  long servedNanos(long now) {
    return now - began;
  }

  void begin(long now) {
    state = State.EXECUTING;
    began = now;
    open();
  }

  void end(long now) {
    if (state == State.WAITING) {
      began = now;
    }
    state = State.OVER;
    open();
  }

  private void open() {
    if (decided != null) {
      decided.countDown();
    }
  }
}
