package io.fairlead.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.QueryParameters;
import io.fairlead.http.server.WebSockets;
import io.fairlead.server.cache.CacheWatcher;
import io.fairlead.server.cache.WatchEvent;
import io.fairlead.server.cache.WatchQuery;
import io.fairlead.server.render.ResponseFormat;
import io.fairlead.server.render.WatchEventWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Streams changes (spec 2.4), as lines of a chunked answer or as WebSocket messages.
///
/// A watch is a parked virtual thread: it waits for the next event, writes, and flushes when no
/// further event is ready. Bookmarks are made here, every minute and shortly before the end. One
/// timer wakes all watches for those: a wait with a limit would set a timer for every event of
/// every watch.
final class WatchHandler {
  /// How many bytes of lines that come together are sent at once: what fits into a TLS record.
  private static final int JOINED = 16 << 10;

  private static final Duration BOOKMARK_EVERY = Duration.ofSeconds(60);
  private static final Duration BOOKMARK_BEFORE_END = Duration.ofSeconds(2);
  private static final long LEAST_SECONDS = 1800;

  /// How long a client that has fallen too far behind may take for one further write. Without it
  /// one that never reads would hold its connection until the network gives up on it.
  private static final Duration HOPE = Duration.ofSeconds(3);

  private final RestDependencies core;
  private final ScheduledExecutorService timer;
  private final AtomicInteger open = new AtomicInteger();

  /// @param timer wakes watches whose time is over or that are due a bookmark
  WatchHandler(RestDependencies core, ScheduledExecutorService timer) {
    this.core = core;
    this.timer = timer;
  }

  /// How many watches are being served.
  int open() {
    return open.get();
  }

  /// Serves a watch until its time is over, the client is gone or the server stops.
  void serve(ResourceRequest call, ResponseFormat format) throws IOException, InterruptedException {
    HttpServerExchange exchange = call.exchange();
    QueryParameters query = exchange.query();
    boolean bookmarks = query.isOn("allowWatchBookmarks");
    WatchQuery watch =
        new WatchQuery(
            ReadHandler.selection(call),
            query.text("resourceVersion"),
            query.text("resourceVersionMatch"),
            query.flag("sendInitialEvents"),
            bookmarks);
    Duration time = duration(query);
    WatchEventWriter lines =
        new WatchEventWriter(
            format, call.resource(), call.reader(), query.text("includeObject"), core.clock());
    CacheWatcher watcher = core.caches().of(call.resource()).watch(watch);
    call.streams();
    Pump pump = new Pump(watcher, lines, bookmarks, time);
    BooleanSupplier isHopeless = () -> watcher.overflowedFor().compareTo(HOPE) > 0;
    if (exchange.wantsWebSocket()) {
      // From here on the watcher belongs to the conversation.
      if (!exchange.upgrade(outbox -> pump.run(new SocketSink(outbox, isHopeless)))) {
        watcher.close();
        throw ApiException.badRequest("the WebSocket handshake is not a proper one");
      }
      return;
    }
    exchange.onFailure(watcher::close);
    exchange.setStatus(200);
    exchange.setHeader("Content-Type", format.streamType());
    try (OutputStream out = exchange.output(isHopeless)) {
      out.flush();
      pump.run(new StreamSink(out));
    }
  }

  private Duration duration(QueryParameters query) {
    Long seconds = query.number("timeoutSeconds");
    return seconds != null && seconds > 0
        ? Duration.ofSeconds(seconds)
        : Duration.ofSeconds(LEAST_SECONDS + core.random().nextLong(LEAST_SECONDS));
  }

  /// Where lines go.
  private interface Sink {
    boolean isOpen();

    void send(byte[] line) throws IOException, InterruptedException;

    void flush() throws IOException;
  }

  /// Lines of a chunked answer. One line alone is sent as it is, the same bytes to every watcher;
  /// lines that come together are joined. A watch without news holds no buffer.
  private static final class StreamSink implements Sink {
    private final OutputStream out;
    private final List<byte[]> waiting = new ArrayList<>(1);
    private int length;

    StreamSink(OutputStream out) {
      this.out = out;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void send(byte[] line) throws IOException {
      if (length + line.length > JOINED) {
        flush();
      }
      waiting.add(line);
      length += line.length;
    }

    @Override
    public void flush() throws IOException {
      if (waiting.size() == 1) {
        out.write(waiting.getFirst());
      } else if (!waiting.isEmpty()) {
        ByteBuffer joined = ByteBuffer.allocate(length);
        waiting.forEach(joined::put);
        out.write(joined.array());
      }
      waiting.clear();
      length = 0;
    }
  }

  private record SocketSink(WebSockets.Outbox outbox, BooleanSupplier isHopeless) implements Sink {
    @Override
    public boolean isOpen() {
      return outbox.isOpen();
    }

    @Override
    public void send(byte[] line) throws IOException, InterruptedException {
      outbox.send(new String(line, 0, line.length - 1, UTF_8), isHopeless);
    }

    @Override
    public void flush() {}
  }

  /// Moves events from the watcher to the client. One thread.
  private final class Pump {
    private final CacheWatcher watcher;
    private final WatchEventWriter lines;
    private final boolean bookmarks;
    private final long end;
    private final long lastBookmarkAt;
    private long nextBookmark;
    private @Nullable Future<?> alarm;

    Pump(CacheWatcher watcher, WatchEventWriter lines, boolean bookmarks, Duration time) {
      this.watcher = watcher;
      this.lines = lines;
      this.bookmarks = bookmarks;
      long now = System.nanoTime();
      this.end = now + time.toNanos();
      this.lastBookmarkAt = end - BOOKMARK_BEFORE_END.toNanos();
      this.nextBookmark = Math.min(now + BOOKMARK_EVERY.toNanos(), Math.max(now, lastBookmarkAt));
    }

    void run(Sink sink) throws IOException, InterruptedException {
      open.incrementAndGet();
      try (watcher) {
        setAlarm();
        while (sink.isOpen() && step(sink)) {}
        sink.flush();
      } finally {
        cancelAlarm();
        open.decrementAndGet();
      }
    }

    private boolean step(Sink sink) throws IOException, InterruptedException {
      if (end - System.nanoTime() <= 0) {
        return false;
      }
      try {
        WatchEvent event = watcher.next();
        if (event != null) {
          sink.send(lines.line(event));
          if (!watcher.hasNext()) {
            sink.flush();
          }
          return true;
        }
      } catch (ApiException e) {
        sink.send(lines.error(e.status()));
        return false;
      }
      if (watcher.isOver()) {
        return false;
      }
      bookmarkIfDue(sink);
      setAlarm();
      return true;
    }

    /// Has the watcher woken at the time of the next bookmark, or of the end.
    private void setAlarm() {
      cancelAlarm();
      long until = bookmarks ? Math.min(end, nextBookmark) : end;
      alarm = timer.schedule(watcher::wake, until - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void cancelAlarm() {
      Future<?> set = alarm;
      if (set != null) {
        set.cancel(false);
      }
    }

    private void bookmarkIfDue(Sink sink) throws IOException, InterruptedException {
      long now = System.nanoTime();
      if (!bookmarks || nextBookmark - now > 0) {
        return;
      }
      WatchEvent bookmark = watcher.bookmark();
      if (bookmark != null) {
        sink.send(lines.line(bookmark));
        sink.flush();
      }
      long next = now + BOOKMARK_EVERY.toNanos();
      // After the last one before the end there is none.
      nextBookmark =
          lastBookmarkAt - now > 0
              ? Math.min(next, lastBookmarkAt)
              : end + BOOKMARK_EVERY.toNanos();
    }
  }
}
