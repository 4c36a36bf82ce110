package io.fairlead.proxy.runtime;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.WatchEvent;
import io.fairlead.client.WatchStream;
import io.fairlead.client.informer.ListWatch;
import io.fairlead.client.transport.ConnectionException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Listens whether the API tells of a change since a version. Changes that it knows of come at once
/// with a watch from there, so a short while is enough.
final class Silence {
  private static final Duration OPENING = Duration.ofSeconds(1);
  private static final Duration LISTENING = Duration.ofMillis(40);
  private static final Duration WATCH = Duration.ofSeconds(5);

  private final CountDownLatch open;
  private final CountDownLatch spoken = new CountDownLatch(1);
  private final Queue<WatchStream> streams = new ConcurrentLinkedQueue<>();

  private Silence(int sources) {
    this.open = new CountDownLatch(sources);
  }

  /// True when every source answers, knows its version and says nothing.
  static boolean since(Map<ListWatch, String> versions) throws InterruptedException {
    Silence silence = new Silence(versions.size());
    try {
      versions.forEach(
          (source, version) -> Thread.startVirtualThread(() -> silence.listen(source, version)));
      return silence.open.await(OPENING.toMillis(), TimeUnit.MILLISECONDS)
          && !silence.spoken.await(LISTENING.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      silence.streams.forEach(WatchStream::close);
    }
  }

  private void listen(ListWatch source, String version) {
    try (WatchStream stream = source.watch(version, false, WATCH)) {
      streams.add(stream);
      open.countDown();
      Optional<WatchEvent> next = stream.next();
      while (next.isPresent() && next.get() instanceof WatchEvent.Bookmark) {
        next = stream.next();
      }
    } catch (ApiException | ConnectionException _) {
      // As good as a change; or it was heard enough.
    } finally {
      spoken.countDown();
      open.countDown();
    }
  }
}
