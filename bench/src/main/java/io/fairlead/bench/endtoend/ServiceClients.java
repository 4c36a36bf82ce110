package io.fairlead.bench.endtoend;

import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Clients that ask a Service all the time, some over a new connection for each question, some over
/// connections they keep. Every answer must come and be the name of one of its pods.
///
/// A kept connection that its server closed between two answers is opened again, as every HTTP
/// client does; that is counted but is no loss. Anything else that goes wrong is.
public final class ServiceClients implements AutoCloseable {
  private static final int RATE_OF_ONE = 100;
  private static final int KEPT_BY_ONE = 10;
  private static final long KEPT_PAUSE = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int SHOWN = 20;

  private final NetworkNamespace from;
  private final InetSocketAddress to;
  private final String prefix;
  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder asked = new LongAdder();
  private final LongAdder kept = new LongAdder();
  private final LongAdder reopened = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final Queue<String> losses = new ConcurrentLinkedQueue<>();
  private volatile String phase = "";
  private volatile boolean closed;

  /// What has happened so far.
  ///
  /// @param asked answers over new connections
  /// @param kept answers over kept ones
  /// @param reopened kept connections that were closed between two answers
  /// @param lost questions without a right answer
  public record Counts(long asked, long kept, long reopened, long lost) {}

  public ServiceClients(NetworkNamespace from, HostnameDeployment web) {
    this.from = from;
    this.to = new InetSocketAddress(InetAddress.ofLiteral(web.address()), 80);
    this.prefix = web.name() + "-";
  }

  /// Begins.
  ///
  /// @param rate new connections in a second
  /// @param connections how many are kept; each asks five times a second
  public void start(int rate, int connections) {
    int askers = (rate + RATE_OF_ONE - 1) / RATE_OF_ONE;
    for (int i = 0; i < askers; i++) {
      long pause = TimeUnit.SECONDS.toNanos(1) * askers / rate;
      threads.add(from.start("asks " + i, () -> ask(pause)));
    }
    for (int i = 0; i < connections; i += KEPT_BY_ONE) {
      int mine = Math.min(KEPT_BY_ONE, connections - i);
      threads.add(from.start("keeps " + i, () -> keep(mine)));
    }
  }

  /// What the cluster is doing, for the words about a loss.
  public void phase(String now) {
    phase = now;
  }

  public Counts counts() {
    return new Counts(asked.sum(), kept.sum(), reopened.sum(), lost.sum());
  }

  /// What went wrong, the first few of it.
  public List<String> losses() {
    return List.copyOf(losses);
  }

  private void ask(long pause) {
    long next = System.nanoTime();
    while (!closed) {
      try (HostnameConnection call = new HostnameConnection(to)) {
        check(call.ask());
        asked.increment();
      } catch (IOException e) {
        lose("new connection", e);
      }
      // One that fell behind does not make up for it: the rate is what is offered.
      next = Math.max(next + pause, System.nanoTime() - pause);
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  private void keep(int count) {
    List<@Nullable HostnameConnection> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(null);
    }
    long next = System.nanoTime();
    while (!closed) {
      for (int i = 0; i < count && !closed; i++) {
        calls.set(i, again(calls.get(i)));
      }
      next = Math.max(next + KEPT_PAUSE, System.nanoTime());
      LockSupport.parkNanos(next - System.nanoTime());
    }
    for (HostnameConnection call : calls) {
      if (call != null) {
        call.close();
      }
    }
  }

  /// One question over a connection that is there, or over a new one.
  private @Nullable HostnameConnection again(@Nullable HostnameConnection before) {
    HostnameConnection call = before;
    try {
      if (call != null) {
        try {
          return answered(call);
        } catch (HostnameConnection.Closed _) {
          reopened.increment();
          call.close();
        }
      }
      call = new HostnameConnection(to);
      return answered(call);
    } catch (IOException e) {
      lose("kept connection", e);
      if (call != null) {
        call.close();
      }
      return null;
    }
  }

  private HostnameConnection answered(HostnameConnection call) throws IOException {
    check(call.ask());
    kept.increment();
    return call;
  }

  private void check(String answer) throws IOException {
    if (!answer.startsWith(prefix)) {
      throw new IOException("the answer of somebody else: " + answer);
    }
  }

  private void lose(String how, IOException why) {
    lost.increment();
    if (losses.size() < SHOWN) {
      losses.add(how + " lost while " + phase + ": " + why.getMessage());
    }
  }

  /// Stops asking and waits for the last answers.
  @Override
  public void close() {
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
