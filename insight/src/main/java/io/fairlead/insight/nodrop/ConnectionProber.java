package io.fairlead.insight.nodrop;

import io.fairlead.insight.nodrop.ConnectionLoss.How;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Opens connections to a Service at a fixed pace, whatever becomes of them, and keeps some open.
///
/// How it works: one thread with a selector. A slot of the schedule is due whether or not earlier
/// connections were answered, so a slow Service is not spared. A slot that the thread comes to late
/// counts as late: then the measurement, not the Service, has a gap. Where a connection goes is
/// looked up in the table of tracked connections as soon as its first packet is sent.
public final class ConnectionProber implements AutoCloseable {
  private static final Duration LATE = Duration.ofMillis(50);
  private static final Duration HOPELESS = Duration.ofSeconds(1);
  private static final Duration ASK_EVERY = Duration.ofSeconds(1);
  private static final long LONGEST_SELECT = 20;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /// Where to and how.
  ///
  /// @param http what is asked for; empty to connect only
  /// @param place the node that connections begin at
  /// @param patience after how long an answer is missing
  public record Plan(
      InetSocketAddress front,
      Optional<String> http,
      String place,
      int perSecond,
      int kept,
      Duration patience) {}

  private final Plan plan;
  private final EndpointLookup endpoints;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Selector selector;
  private final SupervisedLoop loop;
  private final ByteBuffer buffer = ByteBuffer.allocate(8192);
  // Owned by the loop's thread; read after it has ended.
  private final List<ConnectionLoss> losses = new ArrayList<>();
  private final List<ProbedConnection> open = new ArrayList<>();
  private volatile boolean ending;
  private long nextSlot;
  private int opened;
  private int ok;
  private int lost;
  private int late;
  private int keptOpened;
  private int keptEnded;
  private int keptBroken;
  private boolean begun;
  private @Nullable InetAddress source;
  // Guarded by this object.
  private boolean drained;
  private int settled;

  public ConnectionProber(Plan plan, EndpointLookup endpoints, InstantSource clock, Ticker ticker) {
    this.plan = plan;
    this.endpoints = endpoints;
    this.clock = clock;
    this.ticker = ticker;
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.loop =
        SupervisedLoop.of("nodrop-prober").platform().stopBy(selector::wakeup).build(this::turn);
  }

  public void start() {
    loop.start();
  }

  /// Waits until the connections that are kept have been answered or lost.
  public void awaitKept() throws InterruptedException {
    long end = ticker.nanos() + plan.patience().toNanos() + NANOS_PER_SECOND;
    synchronized (this) {
      while (settled < plan.kept() && ticker.nanos() - end < 0) {
        wait(LONGEST_SELECT);
      }
    }
  }

  private synchronized void settle() {
    settled++;
    notifyAll();
  }

  /// What became of the connections.
  public record Outcome(
      NoDropReport.ConnectionTally tally,
      NoDropReport.LongLived longLived,
      List<ConnectionLoss> losses) {
    public Outcome {
      losses = List.copyOf(losses);
    }
  }

  /// Opens no further ones, waits for the answers that are missing, and ends.
  public Outcome finish() throws InterruptedException {
    ending = true;
    selector.wakeup();
    long end = ticker.nanos() + plan.patience().toNanos() + NANOS_PER_SECOND;
    synchronized (this) {
      while (!drained && ticker.nanos() - end < 0) {
        wait(LONGEST_SELECT);
      }
    }
    close();
    return new Outcome(
        new NoDropReport.ConnectionTally(opened, ok, lost, late),
        new NoDropReport.LongLived(keptOpened, keptEnded, keptBroken),
        losses);
  }

  @Override
  public void close() {
    loop.close();
    for (ProbedConnection each : open) {
      close(each);
    }
    open.clear();
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void turn() throws IOException {
    long now = ticker.nanos();
    if (!begun) {
      begun = true;
      // The first look-up and the first connections load code, which the schedule must not wait
      // for.
      Optional<String> _ =
          endpoints.find(new InetSocketAddress(source(), plan.front().getPort()), plan.front());
      for (int i = 0; i < plan.kept(); i++) {
        begin(true, now);
      }
      now = ticker.nanos();
      nextSlot = now;
    }
    long gap = NANOS_PER_SECOND / plan.perSecond();
    while (!ending && now - nextSlot >= 0) {
      boolean hopeless = now - nextSlot > HOPELESS.toNanos();
      if (now - nextSlot > LATE.toNanos()) {
        late++;
      }
      if (!hopeless) {
        begin(false, now);
      }
      nextSlot += gap;
    }
    long pause = ending ? LONGEST_SELECT : (nextSlot - ticker.nanos()) / NANOS_PER_MILLI;
    selector.select(Math.clamp(pause, 1, LONGEST_SELECT));
    now = ticker.nanos();
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.isValid() && key.attachment() instanceof ProbedConnection each) {
        ready(key, each, now);
      }
    }
    selector.selectedKeys().clear();
    look(now);
    if (ending && open.stream().allMatch(each -> each.kept && !each.isWaiting())) {
      synchronized (this) {
        drained = true;
        notifyAll();
      }
    }
  }

  private void begin(boolean kept, long now) throws IOException {
    SocketChannel channel = SocketChannel.open();
    ProbedConnection connection = new ProbedConnection(channel, kept, now);
    try {
      channel.configureBlocking(false);
      if (kept) {
        keptOpened++;
      } else {
        opened++;
      }
      open.add(connection);
      // A connection that fails is closed and forgets its port, so it gets one before.
      channel.bind(new InetSocketAddress(source(), 0));
      connection.bound(channel.getLocalAddress());
      boolean done = channel.connect(plan.front());
      SelectionKey key =
          channel.register(
              selector, done ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, connection);
      // Now: the entry may be gone when the connection fails.
      endpoint(connection).ifPresent(connection::sentTo);
      if (done) {
        connected(key, connection, now);
      }
    } catch (BindException e) {
      // No local port is left: the prober's trouble, not the Service's.
      open.remove(connection);
      channel.close();
      late++;
      if (kept) {
        keptOpened--;
        settle();
      } else {
        opened--;
      }
    } catch (IOException e) {
      lose(connection, how(e), now);
    }
  }

  private void ready(SelectionKey key, ProbedConnection each, long now) {
    try {
      if (key.isConnectable()) {
        if (each.channel.finishConnect()) {
          connected(key, each, now);
        }
      } else if (key.isReadable()) {
        read(each, now);
      }
    } catch (BindException e) {
      late++;
      opened--;
      end(each);
    } catch (IOException e) {
      lose(each, how(e), now);
    }
  }

  private void connected(SelectionKey key, ProbedConnection each, long now) throws IOException {
    each.connected(now);
    if (each.kept) {
      settle();
    }
    if (plan.http().isPresent()) {
      key.interestOps(SelectionKey.OP_READ);
      each.ask(plan.http().get(), plan.front(), now);
    } else if (each.kept) {
      key.interestOps(SelectionKey.OP_READ);
    } else {
      ok++;
      end(each);
    }
  }

  private void read(ProbedConnection each, long now) throws IOException {
    switch (each.read(buffer, now)) {
      case MORE -> {}
      case ANSWERED -> {
        if (!each.kept) {
          ok++;
          end(each);
        }
      }
      case CUT -> lose(each, How.RESET, now);
      case CLOSED -> {
        if (each.kept) {
          keptEnded++;
        }
        end(each);
      }
    }
  }

  /// Finds answers that are missing, and asks again where connections are kept.
  private void look(long now) throws IOException {
    for (ProbedConnection each : List.copyOf(open)) {
      if (each.isWaiting() && now - each.since() > plan.patience().toNanos()) {
        lose(each, How.TIMEOUT, now);
      } else if (each.kept
          && !ending
          && !each.isWaiting()
          && plan.http().isPresent()
          && now - each.since() > ASK_EVERY.toNanos()) {
        try {
          each.ask(plan.http().get(), plan.front(), now);
        } catch (IOException e) {
          lose(each, how(e), now);
        }
      }
    }
  }

  private void lose(ProbedConnection each, How how, long now) {
    if (each.endpoint().isEmpty()) {
      endpoint(each).ifPresent(each::sentTo);
    }
    losses.add(
        new ConnectionLoss(
            clock.instant(),
            plan.place(),
            each.local().map(InetSocketAddress::getPort).orElse(0),
            how,
            (now - each.since()) / NANOS_PER_MILLI,
            each.endpoint(),
            each.isEstablished()));
    if (each.kept) {
      keptBroken++;
      settle();
    } else {
      lost++;
    }
    end(each);
  }

  private Optional<String> endpoint(ProbedConnection each) {
    return each.local().flatMap(client -> endpoints.find(client, plan.front()));
  }

  /// The address that connections to the front begin at, which the route says.
  private InetAddress source() throws IOException {
    InetAddress known = source;
    if (known == null) {
      try (DatagramChannel route = DatagramChannel.open()) {
        route.connect(plan.front());
        known = ((InetSocketAddress) route.getLocalAddress()).getAddress();
        source = known;
      }
    }
    return known;
  }

  private static How how(IOException e) {
    String text = String.valueOf(e.getMessage());
    if (e instanceof ConnectException && text.contains("refused")) {
      return How.REFUSED;
    }
    if (text.contains("timed out")) {
      return How.TIMEOUT;
    }
    return text.contains("reset") || text.contains("Broken pipe") ? How.RESET : How.OTHER;
  }

  private void end(ProbedConnection each) {
    open.remove(each);
    close(each);
  }

  private static void close(ProbedConnection each) {
    try {
      each.channel.close();
    } catch (IOException _) {
      // Closing is all that was wanted.
    }
  }
}
