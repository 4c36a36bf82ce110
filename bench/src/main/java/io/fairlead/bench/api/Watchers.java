package io.fairlead.bench.api;

import io.fairlead.bench.report.Samples;
import io.fairlead.work.Tasks;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Many watches on Services: how long after a write the last of them has the event.
///
/// The watchers share the machine with the server, so one thread serves all that are quick, and
/// does no more than look for the name of the one object that is awaited.
final class Watchers implements AutoCloseable {
  private static final int SLOW_BYTES_PER_SECOND = 1024;

  /// An object that everybody is to hear of.
  private static final class Awaited {
    final byte[] name;
    final CountDownLatch left;
    final AtomicLong last = new AtomicLong();

    Awaited(String name, int watchers) {
      this.name = ("\"name\":\"" + name + "\"").getBytes(StandardCharsets.US_ASCII);
      this.left = new CountDownLatch(watchers);
    }

    void arrived() {
      last.accumulateAndGet(System.nanoTime(), Math::max);
      left.countDown();
    }
  }

  private final ApiServerUnderTest target;
  private final int quick;
  private final Selector selector;
  private final List<Closeable> wires = new ArrayList<>();
  // Set before the write is sent.
  private volatile @Nullable Awaited awaited;

  private Watchers(ApiServerUnderTest target, int quick) throws IOException {
    this.target = target;
    this.quick = quick;
    this.selector = Selector.open();
  }

  /// A watcher that reads at once.
  private static final class Quick {
    final WatchConnection wire;
    @Nullable Awaited seen;

    Quick(WatchConnection wire) {
      this.wire = wire;
    }
  }

  /// Opens watchers that read at once.
  static Watchers open(ApiServerUnderTest target, int quick) throws IOException {
    Watchers watchers = new Watchers(target, quick);
    // From now on: what is there already would be sent to every one of them first.
    String now = JvmLoadGenerator.revision(target);
    for (int i = 0; i < quick; i++) {
      WatchConnection wire = WatchConnection.open(target, path(now));
      watchers.wires.add(wire);
      wire.register(watchers.selector, new Quick(wire));
    }
    Tasks.startPlatform("watchers", watchers::read);
    return watchers;
  }

  /// Adds watchers that read a kilobyte a second.
  void addSlow(int slow) throws IOException {
    String now = JvmLoadGenerator.revision(target);
    for (int i = 0; i < slow; i++) {
      RawHttpsConnection wire = RawHttpsConnection.open(target);
      wires.add(wire);
      wire.watch(path(now));
      Tasks.start("trickle", () -> trickle(wire));
    }
  }

  private static String path(String revision) {
    return JvmLoadGenerator.SERVICES + "?watch=true&resourceVersion=" + revision;
  }

  private void read() throws IOException {
    try {
      while (true) {
        selector.select(
            key -> {
              if (key.attachment() instanceof Quick watcher) {
                read(key, watcher);
              }
            });
      }
    } catch (ClosedSelectorException e) {
      return; // Closed by us at the end.
    }
  }

  private void read(SelectionKey key, Quick watcher) {
    Awaited now = awaited;
    try {
      if (watcher.wire.readAndFind(now == null ? null : now.name)
          && now != null
          && !now.equals(watcher.seen)) {
        watcher.seen = now;
        now.arrived();
      }
    } catch (IOException e) {
      key.cancel(); // Its server is gone: the benchmark, which waits for the event, says so.
    }
  }

  private static void trickle(RawHttpsConnection wire) {
    byte[] buffer = new byte[SLOW_BYTES_PER_SECOND];
    try {
      while (wire.read(buffer, 0, buffer.length) >= 0) {
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (IOException e) {
      return; // Closed by us at the end, or by the server because it was slow.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Creates Services one after the other.
  ///
  /// @return milliseconds from sending the write until the last quick watcher had it
  Samples write(String run, int writes) throws IOException, InterruptedException {
    double[] millis = new double[writes];
    try (RawHttpsConnection wire = RawHttpsConnection.open(target)) {
      for (int i = 0; i < writes; i++) {
        String name = "w-" + run + "-" + i;
        Awaited next = new Awaited(name, quick);
        awaited = next;
        long begin = System.nanoTime();
        JvmLoadGenerator.expect(
            wire.send("POST", JvmLoadGenerator.SERVICES, JvmLoadGenerator.service(name)),
            201,
            name);
        if (!next.left.await(20, TimeUnit.SECONDS)) {
          throw new IOException(next.left.getCount() + " watchers never got " + name);
        }
        millis[i] = (next.last.get() - begin) / 1e6;
      }
    }
    return new Samples(millis);
  }

  @Override
  public void close() throws IOException {
    selector.close();
    for (Closeable wire : wires) {
      wire.close();
    }
  }
}
