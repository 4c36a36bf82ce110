package io.fairlead.dns.server;

import io.fairlead.client.time.Ticker;
import io.fairlead.dns.metrics.ServerMetrics;
import io.fairlead.dns.plugin.Origin;
import io.fairlead.dns.plugin.Transport;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.QueryView.Verdict;
import io.fairlead.dns.wire.Rcode;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Questions over UDP: for each core one socket on the same port (`SO_REUSEPORT`, the kernel shares
/// packets out) and one platform thread that waits in it. Ready answers go out from that very
/// thread; the rest leaves it with a copy of the packet.
final class UdpListener implements Listener {
  private static final Logger log = LoggerFactory.getLogger(UdpListener.class);
  private static final int RECEIVE = 4096;
  private static final int SEND = 4096;

  // How many packets may wait, about 340 small ones: what a core answers in three or four
  // milliseconds, and as much as a pause of the collector takes. A client that waits longer has
  // asked again by then, so a longer queue would only be filled with answers for nobody.
  private static final int RECEIVE_BUFFER = 128 << 10;
  private static final int SEND_BUFFER = 4 << 20;

  private final String server;
  private final ChainRunner runner;
  private final ServerMetrics metrics;
  private final Ticker ticker;
  private final List<DatagramChannel> channels = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final InetSocketAddress address;
  private volatile Router router;
  private volatile boolean closed;

  /// Binds all sockets and begins.
  ///
  /// @param where port 0 for a free one
  UdpListener(
      InetSocketAddress where,
      int sockets,
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
      channels.add(open(where));
      this.address = (InetSocketAddress) channels.getFirst().getLocalAddress();
      InetSocketAddress same = new InetSocketAddress(where.getAddress(), address.getPort());
      for (int i = 1; i < sockets; i++) {
        channels.add(open(same));
      }
    } catch (IOException e) {
      closeChannels();
      throw e;
    }
    for (int i = 0; i < channels.size(); i++) {
      Worker worker = new Worker(channels.get(i), new SplittableRandom(random.nextLong()));
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("dns-udp-" + address.getPort() + "-" + i)
              .start(worker));
    }
  }

  private static DatagramChannel open(InetSocketAddress where) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
      return channel.bind(where);
    } catch (IOException e) {
      channel.close();
      throw e;
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
    closeChannels();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void closeChannels() {
    for (DatagramChannel channel : channels) {
      try {
        channel.close();
      } catch (IOException e) {
        log.atDebug().setCause(e).log("cannot close a socket");
      }
    }
  }

  /// The loop of one socket; owns everything in it.
  private final class Worker implements Runnable {
    private final DatagramChannel channel;
    private final Lookups lookups;
    private final QueryView view = new QueryView();
    private final byte[] packet = new byte[RECEIVE];
    private final byte[] reply = new byte[SEND];
    private final ByteBuffer in = ByteBuffer.allocateDirect(RECEIVE);
    private final ByteBuffer out = ByteBuffer.allocateDirect(SEND);

    Worker(DatagramChannel channel, RandomGenerator random) {
      this.channel = channel;
      this.lookups = new Lookups(random, metrics, ticker);
    }

    @Override
    public void run() {
      while (!closed) {
        try {
          in.clear();
          InetSocketAddress client = (InetSocketAddress) channel.receive(in);
          if (client != null) {
            int length = in.position();
            in.get(0, packet, 0, length);
            take(client, length);
          }
        } catch (ClosedChannelException _) {
          return;
        } catch (IOException e) {
          // An earlier reply found nobody, or the like: the socket is as good as before.
          log.atDebug().setCause(e).log("cannot receive");
        } catch (RuntimeException e) {
          metrics.panic();
          log.atError().setCause(e).log("a packet could not be handled");
        }
      }
    }

    private void take(InetSocketAddress client, int length) throws IOException {
      Verdict verdict = view.read(packet, length);
      switch (verdict) {
        case DROP -> metrics.dropped("no query");
        case FORMAT_ERROR -> send(Replies.headerOnly(view, Rcode.FORMERR), client);
        case NOT_IMPLEMENTED -> send(Replies.headerOnly(view, Rcode.NOTIMP), client);
        case BAD_VERSION -> chain(client, length);
        case ACCEPT -> {
          boolean ipv6 = client.getAddress() instanceof Inet6Address;
          int size = lookups.answer(router, view, reply, false, ipv6);
          if (size > 0) {
            send(reply, size, client);
          } else {
            chain(client, length);
          }
        }
      }
    }

    private void chain(InetSocketAddress client, int length) throws IOException {
      Origin origin = new Origin(client, address, Transport.UDP, server);
      byte[] copy = Arrays.copyOf(packet, length);
      boolean taken =
          runner.submit(
              copy,
              origin,
              router,
              bytes -> channel.send(ByteBuffer.wrap(bytes), client),
              () -> {});
      if (!taken) {
        send(ChainRunner.shed(view), client);
      }
    }

    private void send(byte[] bytes, InetSocketAddress client) throws IOException {
      send(bytes, bytes.length, client);
    }

    private void send(byte[] bytes, int length, InetSocketAddress client) throws IOException {
      out.clear();
      out.put(bytes, 0, length).flip();
      channel.send(out, client);
    }
  }
}
