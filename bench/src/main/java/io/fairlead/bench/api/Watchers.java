package io.fairlead.bench.api;

import io.fairlead.bench.report.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Many watches on Services: how long after a write the last of them has the event.
final class Watchers implements AutoCloseable {
  private static final int SLOW_BYTES_PER_SECOND = 1024;

  private static final class Arrivals {
    final CountDownLatch left;
    final AtomicLong last = new AtomicLong();

    Arrivals(int watchers) {
      left = new CountDownLatch(watchers);
    }
  }

  private final Target target;
  private final List<Wire> wires = new ArrayList<>();
  private final Map<String, Arrivals> awaited = new ConcurrentHashMap<>();
  private final int quick;

  private Watchers(Target target, int quick) {
    this.target = target;
    this.quick = quick;
  }

  /// @param quick watchers that read at once
  /// @param slow watchers that read a kilobyte a second
  static Watchers open(Target target, int quick, int slow) throws IOException {
    Watchers watchers = new Watchers(target, quick);
    // From now on: what is there already would be sent to every one of them first.
    String now = Load.revision(target);
    for (int i = 0; i < quick + slow; i++) {
      Wire wire = Wire.open(target);
      watchers.wires.add(wire);
      wire.watch(Load.SERVICES + "?watch=true&resourceVersion=" + now);
      boolean isSlow = i >= quick;
      Thread.ofVirtual().start(() -> watchers.read(wire, isSlow));
    }
    return watchers;
  }

  private void read(Wire wire, boolean slow) {
    try {
      byte[] buffer = new byte[SLOW_BYTES_PER_SECOND];
      while (true) {
        if (slow) {
          if (wire.trickle(buffer) < 0) {
            return;
          }
          TimeUnit.SECONDS.sleep(1);
        } else {
          arrived(wire.line());
        }
      }
    } catch (IOException e) {
      return; // Closed by us at the end, or by the server because it was slow.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void arrived(String line) {
    int at = line.indexOf("\"name\":\"w-");
    if (at < 0 || !line.startsWith("{\"type\":\"ADDED\"")) {
      return;
    }
    String name = line.substring(at + 8, line.indexOf('"', at + 8));
    Arrivals arrivals = awaited.get(name);
    if (arrivals != null) {
      arrivals.last.accumulateAndGet(System.nanoTime(), Math::max);
      arrivals.left.countDown();
    }
  }

  /// Creates Services one after the other.
  ///
  /// @return milliseconds from sending the write until the last quick watcher had it
  Samples write(String run, int writes) throws IOException, InterruptedException {
    double[] millis = new double[writes];
    try (Wire wire = Wire.open(target)) {
      for (int i = 0; i < writes; i++) {
        String name = "w-" + run + "-" + i;
        Arrivals arrivals = new Arrivals(quick);
        awaited.put(name, arrivals);
        long begin = System.nanoTime();
        Load.expect(wire.send("POST", Load.SERVICES, Load.service(name)), 201, name);
        if (!arrivals.left.await(20, TimeUnit.SECONDS)) {
          throw new IOException(arrivals.left.getCount() + " watchers never got " + name);
        }
        millis[i] = (arrivals.last.get() - begin) / 1e6;
      }
    }
    return new Samples(millis);
  }

  @Override
  public void close() throws IOException {
    for (Wire wire : wires) {
      wire.close();
    }
  }
}
