package io.fairlead.dns.server;

import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.plugin.QueryOrigin;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.QueryView.Verdict;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.kernel.syscall.DatagramBatch;
import io.fairlead.kernel.syscall.DatagramPeer;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.kernel.syscall.UdpSocket;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Queries over UDP: for each core one socket on the same port (`SO_REUSEPORT`, the kernel
/// distributes packets) and one platform thread that waits in it. One system call takes all waiting
/// packets up to a limit, another sends the replies of the fast path, those that are ready
/// ([ReadyReplies]) and those of chains that answer at once; every query for which a plugin has to
/// wait goes to the [ChainRunner] with a copy of its packet.
///
/// A socket that fails is tried again after a wait that grows, see [SupervisedLoop].
final class UdpListener implements DnsListener {
  private static final Logger log = LoggerFactory.getLogger(UdpListener.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1));
  private static final int INTERRUPTED = -Errno.EINTR.number();
  private static final int LARGEST = 4096;

  // A larger batch would delay the first client by more than the saved calls are worth.
  private static final int BATCH = 32;

  // About 340 small packets may wait: what a core answers in three or four milliseconds, and as
  // long
  // as a pause of the collector takes. A client that waits longer has sent its query again by then,
  // so a longer queue would only hold queries whose replies no client reads.
  private static final int RECEIVE_BUFFER = 128 << 10;
  private static final int SEND_BUFFER = 4 << 20;

  /// Takes packets from a socket, [DatagramBatch#receive]; tests put failures in between.
  @FunctionalInterface
  interface Receiver {
    /// @return how many packets, or a negative errno
    int receive(DatagramBatch batch);
  }

  private final String server;
  private final ChainRunner runner;
  private final DnsServerMetrics metrics;
  private final Ticker ticker;
  private final Receiver receiver;
  private final ReadyReplies ready;
  private final List<UdpSocket> sockets = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final InetSocketAddress address;
  private volatile Router router;

  /// Binds all sockets and begins.
  ///
  /// @param where port 0 for a free one
  UdpListener(
      InetSocketAddress where,
      int count,
      Router router,
      ChainRunner runner,
      DnsServerMetrics metrics,
      Ticker ticker,
      RandomGenerator random,
      Receiver receiver)
      throws IOException {
    this.server = router.key().toString();
    this.router = router;
    this.runner = runner;
    this.metrics = metrics;
    this.ticker = ticker;
    this.receiver = receiver;
    this.ready = new ReadyReplies(ticker);
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
      String name = address.getPort() + "-" + i;
      workers.add(new Worker(name, sockets.get(i), new SplittableRandom(random.nextLong())));
    }
    workers.forEach(worker -> worker.loop.start());
  }

  @Override
  public void route(Router now) {
    router = now;
    // What they hold on to of the old configuration goes with them.
    ready.clear();
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    workers.forEach(Worker::close);
  }

  /// Serves one socket. Owns everything in it but the socket, through which chains send their
  /// replies later.
  private final class Worker {
    private final UdpSocket socket;
    private final DatagramBatch batch;
    private final FastPathLookups lookups;
    private final SupervisedLoop loop;
    private final QueryView view = new QueryView();
    private final byte[] packet = new byte[LARGEST];
    private final byte[] reply = new byte[LARGEST];
    // The worker until it is closed, each running step and each query on its way. The last one
    // frees socket and batch.
    private final AtomicInteger users = new AtomicInteger(1);

    Worker(String name, UdpSocket socket, RandomGenerator random) {
      this.socket = socket;
      this.batch = socket.batch(BATCH, LARGEST);
      this.lookups = new FastPathLookups(random, metrics, ticker);
      this.loop =
          SupervisedLoop.of("dns-udp")
              .key(name)
              .platform()
              .backoff(BACKOFF)
              .stopBy(socket::release)
              .build(this::serve);
    }

    /// Receives and answers until the socket fails: the supervised step is entered once, not for
    /// each batch, so that supervision costs nothing while packets come.
    private void serve() {
      users.incrementAndGet();
      try {
        receive();
        loop.progress();
        while (!loop.isClosing()) {
          receive();
        }
      } finally {
        left();
      }
    }

    private void receive() {
      int count = receiver.receive(batch);
      if (count < 0) {
        if (count == INTERRUPTED) {
          return;
        }
        throw new SystemCallException("UDP " + address, "recvmmsg", new Errno(-count));
      }
      for (int i = 0; i < count; i++) {
        take(i);
      }
      int refused = batch.flush();
      if (refused > 0) {
        log.atDebug().addKeyValue("replies", refused).log("cannot send");
      }
    }

    private void left() {
      if (users.decrementAndGet() == 0) {
        batch.close();
        socket.close();
      }
    }

    void close() {
      if (!loop.isClosing()) {
        loop.close();
        left();
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
        case FORMAT_ERROR -> send(index, ReplyEncoder.headerOnly(view, Rcode.FORMERR));
        case NOT_IMPLEMENTED -> send(index, ReplyEncoder.headerOnly(view, Rcode.NOTIMP));
        case BAD_VERSION -> chain(index, length, router);
        case ACCEPT -> {
          Router now = router;
          boolean ipv6 = batch.isIpv6(index);
          int size = lookups.answer(now, view, reply, false, ipv6);
          if (size == 0 && !view.hasOptions()) {
            size = ready.answer(now, view, length, reply, ipv6);
          }
          if (size > 0) {
            batch.answer(index, reply, size);
          } else if (!chainNow(index, length, now)) {
            chain(index, length, now);
          }
        }
      }
    }

    /// Runs the chain on this thread; false when it has to wait for something.
    private boolean chainNow(int index, int length, Router now) {
      ReplySink sink =
          new ReplySink() {
            @Override
            public void send(byte[] message) {
              Worker.this.send(index, message);
            }

            @Override
            public void repeatable(byte[] message, Router.Route route, Reply made) {
              if (!view.hasOptions()) {
                keep(packet, length, message, now, route, made);
              }
            }
          };
      return runner.answerNow(view, origin(batch.sender(index)), now, sink);
    }

    private QueryOrigin origin(DatagramPeer client) {
      return new QueryOrigin(client.address(), address, QueryTransport.UDP, server);
    }

    private void keep(
        byte[] query, int length, byte[] message, Router now, Router.Route route, Reply made) {
      if (message.length <= LARGEST && now.equals(router)) {
        ready.keep(query, length, message, now, route, made);
      }
    }

    private void chain(int index, int length, Router now) {
      DatagramPeer client = batch.sender(index);
      byte[] copy = Arrays.copyOf(packet, length);
      boolean repeatable = !view.hasOptions();
      ReplySink sink =
          new ReplySink() {
            @Override
            public void send(byte[] message) throws IOException {
              later(message, client);
            }

            @Override
            public void repeatable(byte[] message, Router.Route route, Reply made) {
              if (repeatable) {
                keep(copy, length, message, now, route, made);
              }
            }
          };
      users.incrementAndGet();
      if (!runner.submit(copy, origin(client), now, sink, this::left)) {
        left();
        send(index, ChainRunner.shed(view));
      }
    }

    private void later(byte[] bytes, DatagramPeer client) throws IOException {
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
