package io.fairlead.bench.api;

import io.fairlead.bench.report.Samples;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Many watches on Services: how long after a write the last of them has the event.
///
/// The watchers share the machine with the server, so they do no more than look for the name of the
/// one object that is awaited.
final class Watchers implements AutoCloseable {
  private static final int SLOW_BYTES_PER_SECOND = 1024;
  private static final int BUFFER = 4096;

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
  private final List<RawHttpsConnection> wires = new ArrayList<>();
  // Set before the write is sent.
  private volatile @Nullable Awaited awaited;

  private Watchers(ApiServerUnderTest target, int quick) {
    this.target = target;
    this.quick = quick;
  }

  /// Opens watchers that read at once.
  static Watchers open(ApiServerUnderTest target, int quick) throws IOException {
    Watchers watchers = new Watchers(target, quick);
    // From now on: what is there already would be sent to every one of them first.
    String now = JvmLoadGenerator.revision(target);
    for (int i = 0; i < quick; i++) {
      RawHttpsConnection wire = watchers.watch(RawHttpsConnection.open(target), now);
      Tasks.start("watcher", () -> watchers.read(wire));
    }
    return watchers;
  }

  /// Adds watchers that read a kilobyte a second.
  void addSlow(int slow) throws IOException {
    String now = JvmLoadGenerator.revision(target);
    for (int i = 0; i < slow; i++) {
      RawHttpsConnection wire = watch(RawHttpsConnection.open(target), now);
      Tasks.start("trickle", () -> trickle(wire));
    }
  }

  private RawHttpsConnection watch(RawHttpsConnection wire, String revision) throws IOException {
    wires.add(wire);
    wire.watch(JvmLoadGenerator.SERVICES + "?watch=true&resourceVersion=" + revision);
    return wire;
  }

  private void read(RawHttpsConnection wire) {
    byte[] buffer = new byte[BUFFER];
    int kept = 0;
    Awaited seen = null;
    try {
      while (true) {
        int read = wire.read(buffer, kept, BUFFER - kept);
        if (read < 0) {
          return;
        }
        int filled = kept + read;
        Awaited now = awaited;
        if (now != null && !now.equals(seen) && contains(buffer, filled, now.name)) {
          now.arrived();
          seen = now;
        }
        // The name may lie across two reads.
        kept = Math.min(filled, now == null ? 0 : now.name.length - 1);
        System.arraycopy(buffer, filled - kept, buffer, 0, kept);
      }
    } catch (IOException e) {
      return; // Closed by us at the end.
    }
  }

  private static boolean contains(byte[] bytes, int length, byte[] wanted) {
    for (int at = 0; at + wanted.length <= length; at++) {
      int i = 0;
      while (i < wanted.length && bytes[at + i] == wanted[i]) {
        i++;
      }
      if (i == wanted.length) {
        return true;
      }
    }
    return false;
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
    for (RawHttpsConnection wire : wires) {
      wire.close();
    }
  }
}
