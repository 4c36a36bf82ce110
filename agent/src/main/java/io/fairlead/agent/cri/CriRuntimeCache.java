package io.fairlead.agent.cri;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.fairlead.agent.cri.CriProto.Container;
import io.fairlead.agent.cri.CriProto.ContainerStatusResponse;
import io.fairlead.agent.cri.CriProto.ListContainersResponse;
import io.fairlead.agent.cri.CriProto.ListPodSandboxResponse;
import io.fairlead.agent.cri.CriProto.NoContent;
import io.fairlead.agent.cri.CriProto.PodSandbox;
import io.fairlead.agent.cri.CriProto.PodSandboxState;
import io.fairlead.agent.cri.CriProto.PodSandboxStatusResponse;
import io.fairlead.agent.cri.CriProto.StatusResponse;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Tasks;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What an engine has of one node, always at hand without asking.
///
/// How it works: one thread lists sandboxes and containers; details are asked only of those that
/// are new or whose state has changed. It lists when the engine sends an event, when this agent has
/// changed something, and from time to time: every second without the engine's events, every ten
/// with them. While the engine is away the last list stands: its containers run on, and the agent
/// must not take them for lost.
///
/// The maps are replaced by that thread and never changed; all threads read them.
final class CriRuntimeCache implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CriRuntimeCache.class);
  static final String LOOP = "cri-runtime-cache";
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration REASON_FOLLOWS = Duration.ofSeconds(5);
  private static final int SELDOM = 10;
  private static final int EAGER_TICKS = 3;
  private static final List<Long> AFTER_NEWS_MILLIS = List.of(30L, 200L);

  private final CriClient client;
  private final String node;
  private final InstantSource clock;
  private final Runnable seldom;
  private final ScheduledExecutorService lister = Tasks.sequential("containerd lists");
  private final SupervisedLoop ticks =
      SupervisedLoop.of(LOOP).afterEach(TICK).backoff(new Backoff(TICK, TICK)).build(this::tick);
  private final Object lock = new Object();
  // Guarded by the lock.
  private @Nullable CompletableFuture<Void> queued;

  private volatile Map<String, Sandbox> sandboxes = Map.of();
  private volatile Map<String, ContainerInfo> containers = Map.of();
  private volatile Consumer<String> listener = _ -> {};
  private volatile Optional<String> problem = Optional.empty();
  private volatile @Nullable Instant away;
  // Seconds in which a list is due after news; losing a step to a race costs one list.
  private volatile int eager;
  private volatile boolean listening;
  private volatile boolean noEvents;
  private volatile @Nullable AutoCloseable events;
  // Owned by the loop.
  private int tick;

  /// @param seldom done every ten seconds after a list
  CriRuntimeCache(CriClient client, String node, InstantSource clock, Runnable seldom) {
    this.client = client;
    this.node = node;
    this.clock = clock;
    this.seldom = seldom;
  }

  /// Lists for the first time and begins to watch.
  ///
  /// @throws CriException when the engine does not answer
  void start() {
    refresh();
    askProblem();
    ticks.start();
    subscribe();
  }

  void onChange(Consumer<String> next) {
    listener = next;
  }

  Collection<Sandbox> sandboxes() {
    return sandboxes.values();
  }

  Optional<Sandbox> sandbox(String id) {
    return Optional.ofNullable(sandboxes.get(id));
  }

  Collection<ContainerInfo> containers() {
    return containers.values();
  }

  Optional<ContainerInfo> container(String id) {
    return Optional.ofNullable(containers.get(id));
  }

  /// Why pods get no network, as the engine said last.
  Optional<String> problem() {
    return problem;
  }

  /// Since when the engine does not answer; null while it does.
  @Nullable Instant away() {
    return away;
  }

  /// Lists and waits for it. The list is not older than this call.
  ///
  /// @throws CriException when the engine does not answer
  void refresh() {
    try {
      soon().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CriException refused) {
        throw new CriException(
            refused.isUnreachable() ? Status.Code.UNAVAILABLE : Status.Code.UNKNOWN,
            refused.text(),
            refused);
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CriException(Status.Code.CANCELLED, "interrupted", e);
    }
  }

  /// One list serves all who ask before it begins.
  private CompletableFuture<Void> soon() {
    CompletableFuture<Void> mine;
    synchronized (lock) {
      if (queued != null) {
        return queued;
      }
      mine = new CompletableFuture<>();
      queued = mine;
    }
    try {
      lister.execute(this::answer);
    } catch (RejectedExecutionException e) {
      mine.completeExceptionally(new CriException(Status.Code.CANCELLED, "closed", e));
    }
    return mine;
  }

  private void answer() {
    CompletableFuture<Void> mine;
    synchronized (lock) {
      mine = queued;
      queued = null;
    }
    if (mine == null) {
      return;
    }
    try {
      list();
      mine.complete(null);
    } catch (Throwable e) {
      // Whatever it was, the caller waits for it.
      mine.completeExceptionally(e);
    }
  }

  private void tick() {
    try {
      if (!listening && !noEvents) {
        subscribe();
      }
      tick++;
      boolean soonAfterNews = eager > 0;
      eager = Math.max(0, eager - 1);
      if (soonAfterNews
          || !listening
          || away != null
          || problem.isPresent()
          || tick % SELDOM == 0) {
        refresh();
        askProblem();
      }
      if (tick % SELDOM == 0) {
        seldom.run();
      }
    } catch (CriException e) {
      // `list` logs it once; the next tick tries again.
      log.atDebug().setCause(e).log("container engine not listed");
    }
  }

  private void askProblem() {
    problem =
        CriResponses.problem(
            client.runtime(
                "Status", NoContent.getDefaultInstance(), StatusResponse.parser(), LIMIT));
  }

  private void subscribe() {
    listening = true;
    events =
        client.events(
            _ -> happened(),
            unknown -> {
              noEvents |= unknown;
              listening = false;
            });
  }

  /// The engine's own list may follow its news a moment later, so it is read more than once.
  private void happened() {
    eager = EAGER_TICKS;
    var _ = soon();
    try {
      for (long delay : AFTER_NEWS_MILLIS) {
        lister.schedule(this::soon, delay, TimeUnit.MILLISECONDS);
      }
    } catch (RejectedExecutionException _) {
      // Closed.
    }
  }

  /// Only on the thread of the lister.
  private void list() {
    Set<String> changed = new HashSet<>();
    try {
      Map<String, Sandbox> nextSandboxes = listSandboxes(changed);
      Map<String, ContainerInfo> nextContainers = listContainers(changed);
      gone(sandboxes, nextSandboxes).forEach(one -> changed.add(one.info().podUid()));
      gone(containers, nextContainers).forEach(one -> changed.add(one.podUid()));
      sandboxes = Map.copyOf(nextSandboxes);
      containers = Map.copyOf(nextContainers);
      if (away != null) {
        log.atInfo().log("the container engine answers again");
        away = null;
      }
    } catch (CriException e) {
      if (away == null && !lister.isShutdown()) {
        away = clock.instant();
        log.atWarn().addKeyValue("why", e.text()).log("container engine away, pods run on");
      }
      client.tryAgain();
      throw e;
    }
    changed.forEach(listener);
  }

  private static <T> Collection<T> gone(Map<String, T> before, Map<String, T> now) {
    Map<String, T> left = new HashMap<>(before);
    left.keySet().removeAll(now.keySet());
    return left.values();
  }

  private Map<String, Sandbox> listSandboxes(Set<String> changed) {
    Map<String, Sandbox> next = new HashMap<>();
    ListPodSandboxResponse response =
        client.runtime(
            "ListPodSandbox",
            CriRequests.sandboxesOf(node),
            ListPodSandboxResponse.parser(),
            LIMIT);
    for (PodSandbox item : response.getItemsList()) {
      String id = item.getId();
      Sandbox known = sandboxes.get(id);
      boolean ready = item.getState() == PodSandboxState.SANDBOX_READY;
      if (known != null && known.info().ready() == ready) {
        next.put(id, known);
        continue;
      }
      details("PodSandboxStatus", CriRequests.sandboxStatus(id), PodSandboxStatusResponse.parser())
          .map(status -> CriResponses.sandbox(status.getStatus()))
          .ifPresent(
              one -> {
                next.put(id, one);
                changed.add(one.info().podUid());
              });
    }
    return next;
  }

  private Map<String, ContainerInfo> listContainers(Set<String> changed) {
    Map<String, ContainerInfo> next = new HashMap<>();
    ListContainersResponse response =
        client.runtime(
            "ListContainers",
            CriRequests.containersOf(node),
            ListContainersResponse.parser(),
            LIMIT);
    for (Container item : response.getContainersList()) {
      String id = item.getId();
      ContainerInfo known = containers.get(id);
      if (known != null && known.state() == CriResponses.state(item.getState()) && settled(known)) {
        next.put(id, known);
        continue;
      }
      details("ContainerStatus", CriRequests.containerStatus(id), ContainerStatusResponse.parser())
          .map(status -> CriResponses.container(status.getStatus(), item.getPodSandboxId()))
          .ifPresent(
              one -> {
                next.put(id, one);
                if (!one.equals(known)) {
                  changed.add(one.podUid());
                }
              });
    }
    return next;
  }

  /// Why a container ended may be known a moment after that it did.
  private boolean settled(ContainerInfo container) {
    return !container.exited()
        || clock.instant().isAfter(container.finishedAt().plus(REASON_FOLLOWS));
  }

  /// Empty when it went between the list and this question.
  private <T extends MessageLite> Optional<T> details(
      String call, MessageLite request, Parser<T> response) {
    try {
      return Optional.of(client.runtime(call, request, response, LIMIT));
    } catch (CriException e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void close() {
    ticks.close();
    lister.shutdownNow();
    AutoCloseable stream = events;
    if (stream != null) {
      try {
        stream.close();
      } catch (Exception e) {
        throw new IllegalStateException("event stream did not end", e);
      }
    }
  }
}
