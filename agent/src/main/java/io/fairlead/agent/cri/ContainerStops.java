package io.fairlead.agent.cri;

import io.fairlead.agent.cri.CriProto.NoContent;
import io.fairlead.agent.cri.CriProto.StopContainerRequest;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The containers that an engine is asked to stop, with the moment at which their grace ends. Each
/// has a thread that waits for the engine; a later request counts only with a shorter grace.
///
/// Safe for many threads.
final class ContainerStops implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ContainerStops.class);
  private static final Duration SLOW = Duration.ofMinutes(4);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final CriClient client;
  private final CriRuntimeCache cache;
  private final InstantSource clock;
  private final Pacer pacer;
  private final Map<String, Instant> ends = new ConcurrentHashMap<>();
  private volatile boolean closed;

  ContainerStops(CriClient client, CriRuntimeCache cache, InstantSource clock, Pacer pacer) {
    this.client = client;
    this.cache = cache;
    this.clock = clock;
    this.pacer = pacer;
  }

  /// Asks the engine to stop a container, and does not wait for it. Does nothing for a container
  /// that does not run.
  void stop(String id, Duration grace) {
    if (!running(id)) {
      return;
    }
    Instant end = clock.instant().plus(grace);
    Instant before = ends.get(id);
    if (before != null && !end.isBefore(before)) {
      return;
    }
    ends.put(id, end);
    Tasks.start(
        "stop " + id,
        () -> {
          try {
            stopUntil(id, end);
          } finally {
            ends.remove(id, end);
          }
        });
  }

  private boolean running(String id) {
    return cache.container(id).filter(ContainerInfo::running).isPresent();
  }

  /// Repeats the request until the container has stopped: the engine may be away for a while.
  private void stopUntil(String id, Instant end) throws InterruptedException {
    while (!closed && running(id)) {
      Duration left = Duration.between(clock.instant(), end);
      long seconds = Math.max(0, (left.toMillis() + 999) / 1000);
      try {
        client.runtime(
            "StopContainer",
            StopContainerRequest.newBuilder().setContainerId(id).setTimeout(seconds).build(),
            NoContent.parser(),
            SLOW.plusSeconds(seconds));
        cache.refresh();
      } catch (CriException e) {
        if (e.isNotFound()) {
          return;
        }
        log.atInfo().addKeyValue("container", id).addKeyValue("why", e.text()).log("not stopped");
        pacer.pause(RETRY);
      }
    }
  }

  /// Lets no further attempt begin.
  @Override
  public void close() {
    closed = true;
  }
}
