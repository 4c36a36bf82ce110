package io.fairlead.agent.pipe;

import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// Copies one stream into another on a virtual thread of its own, each piece as soon as it comes.
/// At the end, and when either side breaks, both are closed: for an output that means nothing more
/// comes.
public final class Pump {
  private static final int BUFFER = 32 << 10;

  private final InputStream from;
  private final OutputStream to;
  private final Thread thread;
  private volatile boolean waitsForSource;
  private final AtomicLong moved = new AtomicLong();

  private Pump(String name, InputStream from, OutputStream to) {
    this.from = from;
    this.to = to;
    this.thread = Tasks.start(name, this::run);
  }

  public static Pump start(String name, InputStream from, OutputStream to) {
    return new Pump(name, from, to);
  }

  private void run() {
    byte[] buffer = new byte[BUFFER];
    try (from;
        to) {
      while (true) {
        waitsForSource = true;
        int count = from.read(buffer);
        waitsForSource = false;
        if (count < 0) {
          return;
        }
        to.write(buffer, 0, count);
        to.flush();
        moved.addAndGet(count);
      }
    } catch (IOException _) {
      // The other side sees the end of the stream.
    }
  }

  /// Waits until everything is copied.
  public void join() throws InterruptedException {
    thread.join();
  }

  /// The same when the program behind the source has ended, but others may have inherited its
  /// output: gives up once the source has been silent for that long. A slow receiver is waited for.
  public void joinUnlessSilent(Duration silence) throws InterruptedException {
    while (true) {
      long before = moved.get();
      if (thread.join(silence)) {
        return;
      }
      if (waitsForSource && moved.get() == before) {
        return;
      }
    }
  }
}
