package io.fairlead.client.informer;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ObjectPage;
import io.fairlead.client.RawObject;
import io.fairlead.client.WatchStream;
import io.fairlead.client.WatchStreamEvent;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps a sink equal to what the server holds, with no change missed and none repeated.
///
/// How it works: the state is fetched once, with the version it shows, and every change after that
/// version is followed by a watch. When a watch ends, the next one begins at the last version seen,
/// so nothing is fetched again. Only when the server has forgotten that version (410) is the state
/// fetched again. The state comes as a stream (`sendInitialEvents`) where the server knows how,
/// else as a list. After a failure the reflector waits, doubling up to 30 s and stretched at random
/// so that many of them do not return together (spec/controllers.md 1.1).
///
/// Owned by the thread of the loop that calls [#step]; only `close` may be called by other threads.
final class Reflector implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Reflector.class);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(800), Duration.ofSeconds(30));
  private static final Duration HEALTHY = Duration.ofMinutes(2);
  private static final Duration TOO_SHORT = Duration.ofSeconds(1);
  private static final int MIN_WATCH_SECONDS = 300;
  private static final int PAGE = 500;
  private static final String NEWEST = "";
  private static final String ANY = "0";

  private final ListWatch source;
  private final StateSink sink;
  private final TimingSources pacing;

  private String version = ANY;
  private boolean positioned;
  private boolean streaming = true;
  private int failures;
  private long lastFailure;
  // Read by the closing thread.
  private volatile @Nullable WatchStream current;
  private volatile boolean closed;

  Reflector(ListWatch source, StateSink sink, TimingSources pacing) {
    this.source = source;
    this.sink = sink;
    this.pacing = pacing;
  }

  /// A loop, not started yet, that follows the server until it is closed. Close the reflector
  /// first: that ends a watch without waiting for its next event.
  SupervisedLoop loop() {
    return SupervisedLoop.of("reflector").key(source).build(this::step);
  }

  /// Fetches the state when that is needed and follows one watch to its end. Failures of the server
  /// and of the connection are waited for here; any other comes from the sink and is thrown: the
  /// next step fetches the whole state, because the sink may lack the change at which it failed.
  void step() throws InterruptedException {
    boolean fetched = !positioned;
    try {
      round();
    } catch (ApiException e) {
      boolean lost = ApiErrors.isExpired(e.status()) || ApiErrors.isTooLargeVersion(e.status());
      if (lost) {
        positioned = false;
        version = NEWEST;
      }
      if (lost && !fetched) {
        log.atDebug().addKeyValue("resource", source).log("version expired, fetching the state");
      } else {
        recover(e);
      }
    } catch (ConnectionException e) {
      recover(e);
    } catch (RuntimeException | Error e) {
      positioned = false;
      throw e;
    }
  }

  /// Takes steps on the calling thread until it is closed, for simulations.
  void runHere() {
    try {
      while (!closed) {
        step();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    WatchStream stream = current;
    if (stream != null) {
      stream.close();
    }
  }

  private void round() {
    WatchStream opened = null;
    if (!positioned) {
      opened = streaming ? streamState() : null;
      if (opened == null) {
        listState();
      }
    }
    try (WatchStream stream = opened == null ? open(version, false) : opened) {
      follow(stream);
    } finally {
      current = null;
    }
  }

  private WatchStream open(String from, boolean initialEvents) {
    int seconds = pacing.random().nextInt(MIN_WATCH_SECONDS, 2 * MIN_WATCH_SECONDS);
    WatchStream stream = source.watch(from, initialEvents, Duration.ofSeconds(seconds));
    current = stream;
    if (closed) {
      stream.close();
    }
    return stream;
  }

  /// Fetches the state as a stream, which then goes on with the changes. Null when the server does
  /// not know how.
  private @Nullable WatchStream streamState() {
    WatchStream stream;
    try {
      stream = open(version.equals(ANY) ? NEWEST : version, true);
    } catch (ApiException e) {
      int code = e.status().code();
      if (code == 400 || code == 405 || code == 415 || code == 422) {
        streaming = false;
        return null;
      }
      throw e;
    }
    boolean complete = false;
    try {
      complete = collect(stream);
      return complete ? stream : null;
    } finally {
      if (!complete) {
        stream.close();
        current = null;
      }
    }
  }

  /// True when the state came completely; false when the server turned out not to stream it.
  private boolean collect(WatchStream stream) {
    sink.begin();
    while (true) {
      Optional<WatchStreamEvent> next = stream.next();
      if (next.isEmpty()) {
        streaming = false;
        return false;
      }
      switch (next.get()) {
        case WatchStreamEvent.Changed(RawObject object) -> sink.item(object);
        case WatchStreamEvent.Removed(ObjectNode object) -> sink.without(object);
        case WatchStreamEvent.Bookmark(String reached, boolean end) -> {
          if (end) {
            complete(reached);
            return true;
          }
        }
        case WatchStreamEvent.Failed(Status status) -> {
          if (ApiErrors.isExpired(status) || ApiErrors.isTooLargeVersion(status)) {
            throw new ApiException(status);
          }
          streaming = false;
          return false;
        }
      }
    }
  }

  private void listState() {
    ObjectPage page = source.list(version, version.equals(NEWEST) ? PAGE : 0, "");
    sink.begin();
    page.items().forEach(item -> sink.item(RawObject.of(item)));
    while (!page.continueToken().isEmpty()) {
      page = source.list(NEWEST, PAGE, page.continueToken());
      page.items().forEach(item -> sink.item(RawObject.of(item)));
    }
    complete(page.resourceVersion());
  }

  private void complete(String reached) {
    sink.complete(reached);
    version = reached;
    positioned = true;
  }

  private void follow(WatchStream stream) {
    long started = pacing.ticker().nanos();
    boolean silent = true;
    for (Optional<WatchStreamEvent> next = stream.next(); next.isPresent(); next = stream.next()) {
      silent = false;
      switch (next.get()) {
        case WatchStreamEvent.Changed(RawObject body) -> {
          if (isNew(body.tree())) {
            sink.change(body, version);
          }
        }
        case WatchStreamEvent.Removed(ObjectNode object) -> {
          if (isNew(object)) {
            sink.remove(RawObject.of(object), version);
          }
        }
        case WatchStreamEvent.Bookmark(String reached, boolean _) -> {
          if (ResourceVersions.compare(reached, version) >= 0) {
            version = reached;
            sink.advance(reached);
          }
        }
        case WatchStreamEvent.Failed(Status status) -> throw new ApiException(status);
      }
    }
    if (silent && pacing.ticker().nanos() - started < TOO_SHORT.toNanos()) {
      throw new ConnectionException("the watch ended as soon as it began");
    }
  }

  /// Whether an event lies after all that was seen; moves the position to it. Events of the very
  /// version reached pass, because one write may change several objects: the sink knows each
  /// object's version.
  private boolean isNew(JsonNode object) {
    String reached = object.path("metadata").path("resourceVersion").asString("");
    if (ResourceVersions.compare(reached, version) < 0) {
      return false;
    }
    version = reached;
    return true;
  }

  /// Waits after a failure, unless the reflector is to end.
  private void recover(RuntimeException failure) throws InterruptedException {
    if (closed) {
      return;
    }
    long now = pacing.ticker().nanos();
    if (failures > 0 && now - lastFailure > HEALTHY.toNanos()) {
      failures = 0;
    }
    Duration wait = BACKOFF.after(failures);
    failures++;
    Duration stretched = wait.plusNanos((long) (wait.toNanos() * pacing.random().nextDouble()));
    log.atInfo()
        .addKeyValue("resource", source)
        .addKeyValue("why", failure.getMessage())
        .addKeyValue("retryInMilliseconds", stretched.toMillis())
        .log("watch interrupted");
    pacing.pacer().pause(stretched);
    lastFailure = pacing.ticker().nanos();
  }
}
