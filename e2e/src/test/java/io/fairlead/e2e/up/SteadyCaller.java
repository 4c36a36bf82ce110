package io.fairlead.e2e.up;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Opens one connection after the other to a Service on the machine, asks once on each, and
/// remembers who answered and what failed. Several callers at once, on threads of their own.
final class SteadyCaller implements AutoCloseable {
  private static final int CALLERS = 4;
  private static final int PATIENCE_MILLIS = 30_000;
  private static final long PAUSE_NANOS = 2_000_000;
  private static final byte[] QUESTION =
      "GET / HTTP/1.0\r\nHost: hostnames\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final InetSocketAddress target;
  private final AtomicLong answered = new AtomicLong();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  SteadyCaller(IsolatedMachine machine, String address, int port) {
    target = new InetSocketAddress(address, port);
    for (int i = 0; i < CALLERS; i++) {
      threads.add(
          Thread.ofPlatform()
              .daemon(true)
              .name("caller " + i)
              .start(() -> machine.inside(this::callOn)));
    }
  }

  private boolean callOn() {
    while (!closed) {
      try {
        seen.add(call());
        answered.incrementAndGet();
      } catch (IOException e) {
        failures.add(String.valueOf(e));
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }

  /// One connection, one question.
  private String call() throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(target, PATIENCE_MILLIS);
      socket.getOutputStream().write(QUESTION);
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!answer.contains(" 200 ")) {
        throw new IOException("no answer, but: " + answer);
      }
      return answer.substring(answer.indexOf("\r\n\r\n") + 4).strip();
    }
  }

  long answered() {
    return answered.get();
  }

  Collection<String> failures() {
    return failures;
  }

  /// Everybody who answered.
  Set<String> seen() {
    return seen;
  }

  @Override
  public void close() {
    stop();
  }

  /// Ends when the calls that are under way have ended. Again is fine.
  void stop() {
    closed = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
