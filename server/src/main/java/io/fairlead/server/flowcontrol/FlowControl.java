package io.fairlead.server.flowcontrol;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.flowcontrol.FlowControlConfig.ClassifiedFlow;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.node.ObjectNode;

/// Priority and fairness of requests: sorts each one by the flow schemas, and has it served, wait
/// in a queue, or refused with 429, as its priority level says.
///
/// The objects are read when they have changed: by the next request, and by [#refresh]. Requests
/// keep the level they came to.
public final class FlowControl {
  /// What a request may spend of its time in a queue: a quarter.
  private static final int WAIT_SHARE = 4;

  private static final int RETRY_AFTER_SECONDS = 1;
  private static final String TOO_MANY = "Too many requests, please try again later.";
  private static final String SCHEMA_HEADER = "X-Kubernetes-PF-FlowSchema-UID";
  private static final String LEVEL_HEADER = "X-Kubernetes-PF-PriorityLevel-UID";

  private final Source source;
  private final SeatDispatcher dispatcher;
  private final FlowControlMetrics metrics;
  private final AtomicInteger reading = new AtomicInteger();
  private final AtomicInteger writing = new AtomicInteger();
  private final ReentrantLock reloading = new ReentrantLock();
  // Written under the lock; every request reads it.
  private volatile FlowControlConfig config;

  /// Where flow schemas and priority levels come from.
  public interface Source {
    /// Grows with every change.
    long version();

    /// All FlowSchemas, read only.
    List<ObjectNode> schemas();

    /// All PriorityLevelConfigurations, read only.
    List<ObjectNode> levels();
  }

  /// A request's place among those that are served at once; closing it gives it to another one.
  /// Idempotent.
  public interface ExecutionSeat extends AutoCloseable {
    @Override
    void close();
  }

  /// @param total how many requests are served at once, those of exempt levels aside
  public FlowControl(Source source, int total) {
    this.source = source;
    this.dispatcher = new SeatDispatcher(total, Ticker.system());
    this.metrics = new FlowControlMetrics(dispatcher);
    this.config = FlowControlConfig.of(source, dispatcher);
  }

  /// What is counted, to be registered where it is shown.
  public FlowControlMetrics metrics() {
    return metrics;
  }

  /// Of the objects that requests are sorted by now.
  public long version() {
    return config.version();
  }

  /// Reads the objects again when they have changed. Requests that wait get what they now can.
  ///
  /// @return whether they had
  public boolean refresh() {
    if (source.version() == config.version() || !reloading.tryLock()) {
      return false;
    }
    try {
      config = FlowControlConfig.of(source, dispatcher);
      return true;
    } finally {
      reloading.unlock();
    }
  }

  /// Waits for the request's turn, for at most its share of `time`. Shows the client by which
  /// objects it was sorted.
  ///
  /// @throws ApiException 429 when its level and its queue are full, or its turn does not come
  public ExecutionSeat enter(
      HttpServerExchange exchange, RequestInfo info, UserInfo user, Duration time)
      throws InterruptedException {
    var _ = refresh();
    ClassifiedFlow to = config.classify(info, user);
    exchange.setHeader(SCHEMA_HEADER, to.schema().uid());
    exchange.setHeader(LEVEL_HEADER, to.level().uid());
    Flow flow = to.flow();
    SeatDispatcher.Arrival arrival =
        dispatcher.arrive(
            flow, () -> ShuffleSharding.hash(to.schema().name(), to.schema().flow(info, user)));
    return switch (arrival) {
      case SeatDispatcher.Arrival.Refused _ -> throw tooMany();
      case SeatDispatcher.Arrival.Accepted(QueuedRequest request) -> {
        CountDownLatch decided = request.decided();
        if (decided != null) {
          await(exchange, request, decided, time.dividedBy(WAIT_SHARE));
        }
        yield new Seat(request, info.isMutating() ? writing : reading);
      }
    };
  }

  private void await(
      HttpServerExchange exchange, QueuedRequest request, CountDownLatch decided, Duration most)
      throws InterruptedException {
    exchange.onFailure(
        () -> {
          var _ = dispatcher.abandon(request, Refusal.CANCELLED);
        });
    boolean inTime;
    try {
      inTime = decided.await(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      if (!dispatcher.abandon(request, Refusal.CANCELLED)) {
        var _ = dispatcher.release(request);
      }
      throw e;
    }
    // With the time over, the seat may just have come.
    boolean refused =
        inTime ? dispatcher.isOver(request) : dispatcher.abandon(request, Refusal.TIME_OUT);
    metrics.waited(request.flow(), !refused, request.waitedNanos());
    if (refused) {
      throw tooMany();
    }
  }

  private static ApiException tooMany() {
    return ApiException.tooManyRequests(TOO_MANY, RETRY_AFTER_SECONDS);
  }

  /// How many requests of that sort are being served.
  public int inFlight(boolean mutating) {
    return (mutating ? writing : reading).get();
  }

  /// What the levels do now, as text for people: what `/debug/api_priority_and_fairness/` shows.
  public FlowControlDump dump() {
    return new FlowControlDump(dispatcher);
  }

  private final class Seat implements ExecutionSeat {
    private final QueuedRequest request;
    private final AtomicInteger sort;
    private boolean closed;

    Seat(QueuedRequest request, AtomicInteger sort) {
      this.request = request;
      this.sort = sort;
      sort.incrementAndGet();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        sort.decrementAndGet();
        var _ = dispatcher.release(request);
      }
    }
  }
}
