package io.fairlead.client.informer;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.RawObject;
import io.fairlead.client.WatchStream;
import io.fairlead.client.WatchStreamEvent;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One watch of all objects of a resource, handed on to many readers.
///
/// The last events are kept, so that a reader can begin, or go on, a little before the newest one.
/// A reader that asks for an older version gets 410, as from a server, and fetches the state. A
/// reader that lets too many events wait is cut off and comes back by itself.
///
/// One loop follows the server while there are readers. The lock guards all state; it is held for
/// memory work only.
final class ResourceWatchHub implements AutoCloseable {
  private static final Duration WATCH_FOR = Duration.ofMinutes(8);
  private static final int KEPT = 256;
  private static final int WAITING = 4096;

  /// @param object what selectors are asked about; null for a bookmark
  private record Event(String version, @Nullable ObjectNode object, WatchStreamEvent shown) {}

  /// Behind the last event of a reader.
  private static final Event END = new Event("", null, new WatchStreamEvent.Bookmark("", false));

  private final ListWatch source;
  // Guarded by this.
  private final List<Subscription> readers = new ArrayList<>();
  private final Deque<Event> kept = new ArrayDeque<>();
  // Events after `floor` and up to `reached` are kept; both are empty when nothing is known.
  private String floor = "";
  private String reached = "";
  private @Nullable Following following;
  private boolean closed;

  ResourceWatchHub(ListWatch source) {
    this.source = source;
  }

  /// The changes after a version, as a filter shows them.
  ///
  /// @throws ApiException 410 when they are no longer known
  synchronized WatchStream subscribe(String version, ObjectFilter filter) {
    if (closed) {
      throw new ConnectionException("the shared watch is closed");
    }
    if (floor.isEmpty()) {
      floor = version;
      reached = version;
    } else if (ResourceVersions.compare(version, floor) < 0) {
      throw ApiException.expired("too old resource version: " + version + " (" + floor + ")");
    }
    Subscription reader = new Subscription(version, filter);
    kept.forEach(reader::offer);
    readers.add(reader);
    if (following == null) {
      following = new Following();
      following.loop.start();
    }
    return reader;
  }

  @Override
  public void close() {
    Following last;
    synchronized (this) {
      closed = true;
      last = following;
    }
    if (last != null) {
      last.end(new ConnectionException("the shared watch is closed"));
      last.loop.close();
    }
  }

  /// A watch of the server while there are readers. Another one begins when readers come back after
  /// it has ended; what it still does then reaches no reader.
  private final class Following {
    private final SupervisedLoop loop =
        SupervisedLoop.of("shared-watch").key(source).build(this::step);
    // Guarded by the hub.
    private @Nullable WatchStream upstream;

    /// Follows the server to the end of one watch. A failure goes to the readers, which decide what
    /// to do, and ends this.
    private void step() {
      try (WatchStream stream = open()) {
        for (Optional<WatchStreamEvent> next = stream.next();
            next.isPresent();
            next = stream.next()) {
          handle(next.get());
        }
      } catch (ApiException e) {
        if (ApiErrors.isExpired(e.status())) {
          forget();
        }
        end(e);
      } catch (ConnectionException e) {
        end(e);
      } catch (RuntimeException | Error e) {
        // An event may be lost: every reader has to fetch the state.
        forget();
        end(ApiException.expired("the shared watch failed: " + e));
        throw e;
      }
    }

    private WatchStream open() {
      String from;
      synchronized (ResourceWatchHub.this) {
        from = reached;
      }
      WatchStream stream = source.watch(from, false, WATCH_FOR);
      synchronized (ResourceWatchHub.this) {
        upstream = stream;
        if (isCurrent()) {
          return stream;
        }
      }
      stream.close();
      throw new ConnectionException("the shared watch has ended");
    }

    private boolean isCurrent() {
      return following != null && following.equals(this);
    }

    private void handle(WatchStreamEvent event) {
      switch (event) {
        case WatchStreamEvent.Changed(RawObject body) -> publish(body.tree(), event);
        case WatchStreamEvent.Removed(ObjectNode object) -> publish(object, event);
        case WatchStreamEvent.Bookmark(String version, boolean _) ->
            publish(new Event(version, null, event));
        case WatchStreamEvent.Failed(var status) -> throw new ApiException(status);
      }
    }

    private void publish(ObjectNode object, WatchStreamEvent event) {
      publish(new Event(Json.textOr(object, "", "metadata", "resourceVersion"), object, event));
    }

    private void publish(Event event) {
      synchronized (ResourceWatchHub.this) {
        if (!isCurrent()) {
          return;
        }
        reached = event.version();
        kept.add(event);
        if (kept.size() > KEPT) {
          floor = kept.remove().version();
        }
        readers.removeIf(reader -> !reader.offer(event));
        if (!readers.isEmpty()) {
          return;
        }
      }
      end(new ConnectionException("no reader is left"));
    }

    private void forget() {
      synchronized (ResourceWatchHub.this) {
        if (isCurrent()) {
          kept.clear();
          floor = "";
          reached = "";
        }
      }
    }

    /// Ends this and sends all readers the cause. What is kept stays, for readers that come back.
    void end(RuntimeException cause) {
      WatchStream stream;
      synchronized (ResourceWatchHub.this) {
        if (!isCurrent()) {
          return;
        }
        following = null;
        readers.forEach(reader -> reader.fail(cause));
        readers.clear();
        stream = upstream;
      }
      loop.finish();
      if (stream != null) {
        stream.close();
      }
    }
  }

  private void leave(Subscription reader) {
    Following unread = null;
    synchronized (this) {
      readers.remove(reader);
      if (readers.isEmpty()) {
        unread = following;
      }
    }
    if (unread != null) {
      unread.end(new ConnectionException("no reader is left"));
    }
  }

  /// What one reader gets. Written by the hub, read by the reader's thread.
  private final class Subscription implements WatchStream {
    private final String after;
    private final ObjectFilter filter;
    private final BlockingQueue<Event> waiting = new LinkedBlockingQueue<>();
    private volatile @Nullable RuntimeException failure;

    Subscription(String after, ObjectFilter filter) {
      this.after = after;
      this.filter = filter;
    }

    /// False when the reader is cut off because it is too slow.
    boolean offer(Event event) {
      if (ResourceVersions.compare(event.version(), after) <= 0) {
        return true;
      }
      if (waiting.size() >= WAITING) {
        fail(new ConnectionException("too many events wait to be read"));
        return false;
      }
      waiting.add(event);
      return true;
    }

    void fail(RuntimeException cause) {
      failure = cause;
      waiting.add(END);
    }

    @Override
    public Optional<WatchStreamEvent> next() {
      try {
        Event event = waiting.take();
        RuntimeException cause = failure;
        if (cause != null && event.version().isEmpty()) {
          // For a further call.
          waiting.add(END);
          throw cause;
        }
        return Optional.of(shown(event));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ConnectionException("interrupted", e);
      }
    }

    /// The event as this reader is to see it, with an object of its own.
    private WatchStreamEvent shown(Event event) {
      ObjectNode object = event.object();
      if (object == null) {
        return event.shown();
      }
      if (event.shown() instanceof WatchStreamEvent.Changed(RawObject body)
          && filter.matches(object)) {
        return new WatchStreamEvent.Changed(body.copy());
      }
      return new WatchStreamEvent.Removed(object.deepCopy());
    }

    @Override
    public void close() {
      leave(this);
      fail(new ConnectionException("the stream was closed"));
    }
  }
}
