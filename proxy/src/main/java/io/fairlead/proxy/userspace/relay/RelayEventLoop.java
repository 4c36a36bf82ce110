package io.fairlead.proxy.userspace.relay;

import io.fairlead.kernel.syscall.Epoll;
import io.fairlead.kernel.syscall.NativeSocketAddress;
import io.fairlead.kernel.syscall.NonBlockingSockets;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One thread with its sockets. Everything but {@link #post} and the getters of counts belongs to
/// that thread; nothing here waits but for events.
///
/// How it works: a socket gets a place in a table, and its events carry the place and how often
/// that place was given out. An event that was on its way when its socket was closed is recognised
/// by that and ignored.
final class RelayEventLoop {
  private static final Logger log = LoggerFactory.getLogger(RelayEventLoop.class);
  private static final long MILLISECOND = 1_000_000L;
  private static final int GENERATION = 0x7fff_ffff;

  private final RelaySettings settings;
  private final Ticker ticker;
  private final RelayedChoices choices;
  private final Epoll queue;
  private final AdaptiveBusyPoll alertness;
  private final Queue<Runnable> posted = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<RelayedConnection> unfinished = new ArrayDeque<>();
  private final List<ArrayDeque<RelayedConnection>> connecting = new ArrayList<>();
  private final UdpSessionTable conversations;
  private final SupervisedLoop loop;
  private final CountDownLatch end = new CountDownLatch(1);
  private final ReentrantLock lifeLock = new ReentrantLock();
  private boolean ended; // guarded by the lock: then the queue is closed
  private @Nullable NonBlockingSockets calls;
  private @Nullable BufferPool buffers;
  private @Nullable NativeSocketAddress address;
  private @Nullable SocketEventHandler[] sources = new SocketEventHandler[64];
  private int[] generations = new int[64];
  private int[] free = new int[64];
  private int freeCount;
  private int used;
  private int reserve = -1;
  private boolean draining;
  private boolean stopping;
  private volatile int connections;

  /// @param choices where what it did for each client is noted
  RelayEventLoop(String name, RelaySettings settings, Ticker ticker, RelayedChoices choices) {
    this.settings = settings;
    this.choices = choices;
    this.ticker = ticker;
    this.queue = Epoll.open();
    this.alertness = new AdaptiveBusyPoll(queue, ticker, settings.looking().toNanos());
    this.conversations = new UdpSessionTable(settings.udpIdle().toNanos(), settings.udpFlows());
    for (int i = 0; i < RelayedConnection.ATTEMPTS; i++) {
      connecting.add(new ArrayDeque<>());
    }
    // Waits in native code: not for a virtual thread. A new thread is in the network namespace of
    // the one that makes it.
    this.loop =
        SupervisedLoop.of("userspace-relay")
            .key(name)
            .platform()
            .stopBy(() -> {})
            .build(this::step);
    loop.start();
  }

  NonBlockingSockets calls() {
    NonBlockingSockets own = calls;
    if (own == null) {
      throw new IllegalStateException("not on the thread of the loop");
    }
    return own;
  }

  BufferPool buffers() {
    BufferPool own = buffers;
    if (own == null) {
      throw new IllegalStateException("not on the thread of the loop");
    }
    return own;
  }

  /// An address to fill and use at once.
  NativeSocketAddress address() {
    NativeSocketAddress own = address;
    if (own == null) {
      throw new IllegalStateException("not on the thread of the loop");
    }
    return own;
  }

  RelayedChoices choices() {
    return choices;
  }

  UdpSessionTable conversations() {
    return conversations;
  }

  long now() {
    return ticker.nanos();
  }

  /// Has the loop's thread do something soon. From any thread. After the loop has ended it is not
  /// done.
  void post(Runnable work) {
    lifeLock.lock();
    try {
      if (!ended) {
        posted.add(work);
        queue.wake();
      }
    } finally {
      lifeLock.unlock();
    }
  }

  int connections() {
    return connections;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the loop's thread
  void opened() {
    connections++;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the loop's thread
  void closed() {
    connections--;
  }

  /// Watches a socket. Returns its place; a negative errno when the kernel refuses.
  int register(SocketEventHandler source, int socket, int interest) {
    int slot = freeCount > 0 ? free[--freeCount] : used++;
    if (slot == sources.length) {
      sources = Arrays.copyOf(sources, slot * 2);
      generations = Arrays.copyOf(generations, slot * 2);
      free = Arrays.copyOf(free, slot * 2);
    }
    sources[slot] = source;
    int result = queue.add(socket, interest, key(slot));
    if (result < 0) {
      release(slot);
      return result;
    }
    return slot;
  }

  void change(int slot, int socket, int interest) {
    int _ = queue.modify(socket, interest, key(slot));
  }

  /// Forgets a socket, which is then closed.
  void release(int slot) {
    sources[slot] = null;
    generations[slot] = (generations[slot] + 1) & GENERATION;
    free[freeCount++] = slot;
  }

  private long key(int slot) {
    return (long) generations[slot] << Integer.SIZE | slot;
  }

  /// The connection has more to read, but others shall have their turn first.
  void again(RelayedConnection connection) {
    unfinished.add(connection);
  }

  /// The connection tries an endpoint, until its deadline.
  void connecting(RelayedConnection connection, int attempt) {
    connecting.get(attempt).add(connection);
  }

  /// No more files can be opened: takes one waiting client and sends it away, for else the listener
  /// would stay ready for ever.
  void turnAway(int listener) {
    int _ = calls().close(reserve);
    int client = calls().accept(listener);
    if (client >= 0) {
      int _ = calls().close(client);
    }
    reserve = calls().open(NonBlockingSockets.AF_INET, NonBlockingSockets.SOCK_DGRAM);
  }

  /// One wait for events and what they bring; the first step opens what the thread needs, the last
  /// one closes it.
  private void step() {
    if (calls == null) {
      open();
    }
    turn();
    if (stopping || (draining && connections == 0)) {
      end();
    }
  }

  private void open() {
    NonBlockingSockets ownCalls = new NonBlockingSockets();
    calls = ownCalls;
    buffers = new BufferPool(settings.bufferBytes(), settings.buffers());
    address = ownCalls.newAddress();
    reserve = ownCalls.open(NonBlockingSockets.AF_INET, NonBlockingSockets.SOCK_DGRAM);
  }

  private void end() {
    loop.finish();
    try (NonBlockingSockets ownCalls = calls();
        BufferPool _ = buffers()) {
      for (SocketEventHandler source : sources) {
        if (source != null) {
          source.drop();
        }
      }
      int _ = ownCalls.close(reserve);
    } finally {
      calls = null;
      buffers = null;
      address = null;
      lifeLock.lock();
      try {
        ended = true;
        queue.close();
      } finally {
        lifeLock.unlock();
      }
      end.countDown();
    }
  }

  private void turn() {
    int found = alertness.await(unfinished.isEmpty() ? millisecondsUntilNext(ticker.nanos()) : 0);
    for (int i = 0; i < found; i++) {
      long key = queue.key(i);
      int slot = (int) key;
      if (key >= 0 && generations[slot] == (int) (key >>> Integer.SIZE)) {
        SocketEventHandler source = sources[slot];
        if (source != null) {
          serve(source, queue.ready(i));
        }
      }
    }
    for (Runnable work = posted.poll(); work != null; work = posted.poll()) {
      run(work);
    }
    for (int i = unfinished.size(); i > 0; i--) {
      RelayedConnection connection = unfinished.poll();
      if (connection != null) {
        run(connection::resume);
      }
    }
    expire();
  }

  private static void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("a step of the relay failed");
    }
  }

  private static void serve(SocketEventHandler source, int events) {
    try {
      source.ready(events);
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("a connection failed and is dropped");
      source.drop();
    }
  }

  private void expire() {
    boolean any = !conversations.isEmpty();
    for (int attempt = 0; attempt < connecting.size(); attempt++) {
      ArrayDeque<RelayedConnection> queued = connecting.get(attempt);
      while (!queued.isEmpty() && !queued.getFirst().isConnecting(attempt)) {
        queued.removeFirst();
      }
      any |= !queued.isEmpty();
    }
    if (!any) {
      return;
    }
    long now = ticker.nanos();
    for (int attempt = 0; attempt < connecting.size(); attempt++) {
      ArrayDeque<RelayedConnection> queued = connecting.get(attempt);
      while (!queued.isEmpty() && queued.getFirst().deadline() - now <= 0) {
        RelayedConnection late = queued.removeFirst();
        if (late.isConnecting(attempt)) {
          run(late::tookTooLong);
        }
      }
    }
    conversations.expire(now);
  }

  /// Milliseconds until something expires; -1 for never.
  private int millisecondsUntilNext(long now) {
    long soonest = conversations.isEmpty() ? Long.MAX_VALUE : conversations.nextEnd() - now;
    for (ArrayDeque<RelayedConnection> queued : connecting) {
      if (!queued.isEmpty()) {
        soonest = Math.min(soonest, queued.getFirst().deadline() - now);
      }
    }
    if (soonest == Long.MAX_VALUE) {
      return -1;
    }
    return Math.clamp((soonest + MILLISECOND - 1) / MILLISECOND, 0, Integer.MAX_VALUE);
  }

  /// Ends when the last connection has ended.
  void drain() {
    post(() -> draining = true);
  }

  /// Ends now.
  void stop() {
    post(() -> stopping = true);
  }

  /// Waits for the end.
  void join() throws InterruptedException {
    end.await();
    loop.close();
  }

  boolean isAlive() {
    return end.getCount() > 0;
  }
}
