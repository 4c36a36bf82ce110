package io.fairlead.proxy.runtime;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.WatchStream;
import io.fairlead.client.WatchStreamEvent;
import io.fairlead.client.informer.ListWatch;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Asks the API whether there was a change since a version. A watch from there reports the changes
/// the API knows of at once, so a short while is enough.
final class NoChangesSince {
  private static final Duration OPEN_LIMIT = Duration.ofSeconds(1);
  private static final Duration QUIET_TIME = Duration.ofMillis(40);
  private static final Duration WATCH = Duration.ofSeconds(5);

  private final CountDownLatch open;
  private final CountDownLatch changed = new CountDownLatch(1);
  private final Queue<WatchStream> streams = new ConcurrentLinkedQueue<>();

  private NoChangesSince(int sources) {
    this.open = new CountDownLatch(sources);
  }

  /// True when every source answers, knows its version and reports no change.
  static boolean since(Map<ListWatch, String> versions) throws InterruptedException {
    NoChangesSince watched = new NoChangesSince(versions.size());
    try {
      versions.forEach(
          (source, version) ->
              Tasks.start("proxy-checkpoint-watch", () -> watched.listen(source, version)));
      return watched.open.await(OPEN_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
          && !watched.changed.await(QUIET_TIME.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      watched.streams.forEach(WatchStream::close);
    }
  }

  private void listen(ListWatch source, String version) {
    try (WatchStream stream = source.watch(version, false, WATCH)) {
      streams.add(stream);
      open.countDown();
      Optional<WatchStreamEvent> next = stream.next();
      while (next.isPresent() && next.get() instanceof WatchStreamEvent.Bookmark) {
        next = stream.next();
      }
    } catch (ApiException | ConnectionException _) {
      // As good as a change; or the time is over and the stream was closed.
    } finally {
      changed.countDown();
      open.countDown();
    }
  }
}
