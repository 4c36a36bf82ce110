package io.fairlead.dns.server;

import io.fairlead.client.time.Ticker;
import io.fairlead.dns.metrics.ServerMetrics;
import io.fairlead.dns.plugin.Origin;
import io.fairlead.dns.plugin.Transport;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.QueryView.Verdict;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.kernel.syscall.DatagramBatch;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.Peer;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.kernel.syscall.UdpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Questions over UDP: for each core one socket on the same port (`SO_REUSEPORT`, the kernel shares
/// packets out) and one platform thread that waits in it. It takes all that are there with one
/// system call, up to a limit, and sends their ready answers with another; the rest leaves it with
/// a copy of the packet.
final class UdpListener implements Listener {
  private static final Logger log = LoggerFactory.getLogger(UdpListener.class);
  private static final int LARGEST = 4096;

  // More at once would keep the first asker waiting longer than the calls saved are worth.
  private static final int BATCH = 32;

  // How many packets may wait, about 340 small ones: what a core answers in three or four
  // milliseconds, and as much as a pause of the collector takes. A client that waits longer has
  // asked again by then, so a longer queue would only be filled with answers for nobody.
  private static final int RECEIVE_BUFFER = 128 << 10;
  private static final int SEND_BUFFER = 4 << 20;

  private final String server;
  private final ChainRunner runner;
  private final ServerMetrics metrics;
  private final Ticker ticker;
  private final List<UdpSocket> sockets = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final InetSocketAddress address;
  private volatile Router router;
  private volatile boolean closed;

  /// Binds all sockets and begins.
  ///
  /// @param where port 0 for a free one
  UdpListener(
      InetSocketAddress where,
      int count,
      Router router,
      ChainRunner runner,
      ServerMetrics metrics,
      Ticker ticker,
      RandomGenerator random)
      throws IOException {
    this.server = router.key().toString();
    this.router = router;
    this.runner = runner;
    this.metrics = metrics;
    this.ticker = ticker;
    try {
      sockets.add(UdpSocket.open(where, RECEIVE_BUFFER, SEND_BUFFER));
      this.address = sockets.getFirst().address();
      for (int i = 1; i < count; i++) {
        sockets.add(UdpSocket.open(address, RECEIVE_BUFFER, SEND_BUFFER));
      }
    } catch (SystemCallException e) {
      sockets.forEach(UdpSocket::close);
      throw new IOException(e.getMessage(), e);
    }
    for (int i = 0; i < sockets.size(); i++) {
      Worker worker = new Worker(sockets.get(i), new SplittableRandom(random.nextLong()));
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("dns-udp-" + address.getPort() + "-" + i)
              .start(worker));
    }
  }

  @Override
  public void route(Router now) {
    router = now;
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    closed = true;
    sockets.forEach(UdpSocket::release);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// The loop of one socket; owns everything in it but the socket, which also those need who answer
  /// later.
  private final class Worker implements Runnable {
    private final UdpSocket socket;
    private final DatagramBatch batch;
    private final Lookups lookups;
    private final QueryView view = new QueryView();
    private final byte[] packet = new byte[LARGEST];
    private final byte[] reply = new byte[LARGEST];
    private final AtomicInteger users = new AtomicInteger(1);

    Worker(UdpSocket socket, RandomGenerator random) {
      this.socket = socket;
      this.batch = socket.batch(BATCH, LARGEST);
      this.lookups = new Lookups(random, metrics, ticker);
    }

    @Override
    public void run() {
      try (batch) {
        while (!closed) {
          int count = batch.receive();
          for (int i = 0; i < count; i++) {
            take(i);
          }
          int refused = batch.flush();
          if (refused > 0) {
            log.atDebug().addKeyValue("replies", refused).log("cannot send");
          }
        }
      } finally {
        left();
      }
    }

    /// The last who may use the socket closes it.
    private void left() {
      if (users.decrementAndGet() == 0) {
        socket.close();
      }
    }

    private void take(int index) {
      try {
        answer(index, batch.read(index, packet));
      } catch (RuntimeException e) {
        metrics.panic();
        log.atError().setCause(e).log("a packet could not be handled");
      }
    }

    private void answer(int index, int length) {
      Verdict verdict = view.read(packet, length);
      switch (verdict) {
        case DROP -> metrics.dropped("no query");
        case FORMAT_ERROR -> send(index, Replies.headerOnly(view, Rcode.FORMERR));
        case NOT_IMPLEMENTED -> send(index, Replies.headerOnly(view, Rcode.NOTIMP));
        case BAD_VERSION -> chain(index, length);
        case ACCEPT -> {
          int size = lookups.answer(router, view, reply, false, batch.isIpv6(index));
          if (size > 0) {
            batch.answer(index, reply, size);
          } else {
            chain(index, length);
          }
        }
      }
    }

    private void chain(int index, int length) {
      Peer client = batch.sender(index);
      Origin origin = new Origin(client.address(), address, Transport.UDP, server);
      byte[] copy = Arrays.copyOf(packet, length);
      users.incrementAndGet();
      if (!runner.submit(copy, origin, router, bytes -> later(bytes, client), this::left)) {
        left();
        send(index, ChainRunner.shed(view));
      }
    }

    private void later(byte[] bytes, Peer client) throws IOException {
      int result = socket.send(bytes, client);
      if (result < 0) {
        throw new IOException("sendmsg: " + new Errno(-result));
      }
    }

    private void send(int index, byte[] bytes) {
      batch.answer(index, bytes, bytes.length);
    }
  }
}
