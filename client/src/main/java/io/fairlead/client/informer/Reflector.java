package io.fairlead.client.informer;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.Body;
import io.fairlead.client.Page;
import io.fairlead.client.Statuses;
import io.fairlead.client.WatchEvent;
import io.fairlead.client.WatchStream;
import io.fairlead.client.time.Backoff;
import io.fairlead.client.transport.ConnectionException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps a sink equal to what the server holds, with no change missed and none told twice.
///
/// How it works: the state is fetched once, with the version it shows, and every change after that
/// version is followed by a watch. When a watch ends, the next one begins at the last version seen,
/// so nothing is fetched again. Only when the server has forgotten that version (410) is the state
/// fetched anew. The state comes as a stream (`sendInitialEvents`) where the server knows how, else
/// as a list. After a failure the reflector waits, doubling up to 30 s and stretched at random so
/// that many of them do not return together (spec/controllers.md 1.1).
///
/// Owned by the thread that runs it; only `close` may be called by others.
final class Reflector implements Runnable, AutoCloseable {
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
  private final Pacing pacing;

  private String version = ANY;
  private boolean positioned;
  private boolean streaming = true;
  private int failures;
  private long lastFailure;
  // Read by the closing thread.
  private volatile @Nullable WatchStream current;
  private volatile boolean closed;

  Reflector(ListWatch source, StateSink sink, Pacing pacing) {
    this.source = source;
    this.sink = sink;
    this.pacing = pacing;
  }

  @Override
  public void run() {
    while (!closed) {
      boolean fetched = !positioned;
      try {
        round();
      } catch (ApiException e) {
        boolean lost = Statuses.isExpired(e.status()) || Statuses.isTooLargeVersion(e.status());
        if (lost) {
          positioned = false;
          version = NEWEST;
        }
        if (lost && !fetched) {
          log.atDebug().addKeyValue("resource", source).log("version expired, fetching anew");
        } else if (!recover(e)) {
          return;
        }
      } catch (ConnectionException e) {
        if (!recover(e)) {
          return;
        }
      }
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
      Optional<WatchEvent> next = stream.next();
      if (next.isEmpty()) {
        streaming = false;
        return false;
      }
      switch (next.get()) {
        case WatchEvent.Changed(Body object) -> sink.item(object);
        case WatchEvent.Removed(ObjectNode object) -> sink.without(object);
        case WatchEvent.Bookmark(String reached, boolean end) -> {
          if (end) {
            complete(reached);
            return true;
          }
        }
        case WatchEvent.Failed(Status status) -> {
          if (Statuses.isExpired(status) || Statuses.isTooLargeVersion(status)) {
            throw new ApiException(status);
          }
          streaming = false;
          return false;
        }
      }
    }
  }

  private void listState() {
    Page page = source.list(version, version.equals(NEWEST) ? PAGE : 0, "");
    sink.begin();
    page.items().forEach(item -> sink.item(Body.of(item)));
    while (!page.continueToken().isEmpty()) {
      page = source.list(NEWEST, PAGE, page.continueToken());
      page.items().forEach(item -> sink.item(Body.of(item)));
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
    for (Optional<WatchEvent> next = stream.next(); next.isPresent(); next = stream.next()) {
      silent = false;
      switch (next.get()) {
        case WatchEvent.Changed(Body body) -> {
          ObjectNode object = body.tree();
          if (isNew(object)) {
            sink.change(object, version);
          }
        }
        case WatchEvent.Removed(ObjectNode object) -> {
          if (isNew(object)) {
            sink.remove(object, version);
          }
        }
        case WatchEvent.Bookmark(String reached, boolean _) -> {
          if (Versions.compare(reached, version) >= 0) {
            version = reached;
            sink.advance(reached);
          }
        }
        case WatchEvent.Failed(Status status) -> throw new ApiException(status);
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
    if (Versions.compare(reached, version) < 0) {
      return false;
    }
    version = reached;
    return true;
  }

  /// Waits after a failure. False when the reflector is to end.
  private boolean recover(RuntimeException failure) {
    if (closed) {
      return false;
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
    try {
      pacing.pacer().pause(stretched);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
    lastFailure = pacing.ticker().nanos();
    return !closed;
  }
}
