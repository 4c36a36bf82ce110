package io.fairlead.dns.server;

import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.QueryOrigin;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Scheme;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.QueryView.Verdict;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One connection. Questions are answered as they come and replies go out as they are ready, in any
/// order (RFC 7766). So many may be open at a time; then no more are read until one is done.
///
/// Reading belongs to its thread; writing is guarded by a lock.
final class DnsStreamConnection {
  private static final Logger log = LoggerFactory.getLogger(DnsStreamConnection.class);
  private static final int IN_FLIGHT = 128;
  private static final int LARGEST = 65_535;
  private static final int READ_BUFFER = 4096;

  private final Socket plain;
  private final StreamListener listener;
  private final Semaphore open = new Semaphore(IN_FLIGHT);
  private final ReentrantLock writing = new ReentrantLock();
  private volatile long usedAt;
  private volatile long writeStarted;
  private volatile boolean closed;

  DnsStreamConnection(Socket plain, StreamListener listener) {
    this.plain = plain;
    this.listener = listener;
    this.usedAt = listener.context().ticker().nanos();
  }

  /// When it last carried a whole question.
  long usedAt() {
    return usedAt;
  }

  /// How long the present write has taken; 0 when there is none.
  long writingFor(long now) {
    long started = writeStarted;
    return started == 0 ? 0 : now - started;
  }

  void run() throws IOException {
    BlockSettings settings = listener.settings();
    plain.setTcpNoDelay(true);
    plain.setSoTimeout((int) settings.readTimeout().toMillis());
    Socket socket = listener.secured(plain);
    InputStream in = new BufferedInputStream(socket.getInputStream(), READ_BUFFER);
    OutputStream out = socket.getOutputStream();
    QueryOrigin origin =
        new QueryOrigin(
            (InetSocketAddress) socket.getRemoteSocketAddress(),
            (InetSocketAddress) socket.getLocalSocketAddress(),
            listener.router().key().scheme() == Scheme.TLS
                ? QueryTransport.TLS
                : QueryTransport.TCP,
            listener.router().key().toString());
    FastPathLookups lookups =
        new FastPathLookups(
            listener.newRandom(), listener.context().metrics(), listener.context().ticker());
    ReplySink sink = message -> write(out, message);
    int most = settings.maxTcpQueries();
    for (int count = 0; !closed && (most < 0 || count < most); count++) {
      byte[] packet = read(in);
      usedAt = listener.context().ticker().nanos();
      socket.setSoTimeout((int) settings.idleTimeout().toMillis());
      answer(packet, origin, lookups, sink);
    }
    drain();
    // An orderly end first, so that the last replies are not lost to a reset.
    socket.shutdownOutput();
  }

  private byte[] read(InputStream in) throws IOException {
    int high = first(in);
    int low = high < 0 ? -1 : in.read();
    if (low < 0) {
      throw new EOFException("closed by the client");
    }
    int length = high << 8 | low;
    byte[] packet = in.readNBytes(length);
    if (packet.length < length) {
      throw new EOFException("closed in the middle of a question");
    }
    return packet;
  }

  /// The first byte of a question. A client that waits for replies may be silent meanwhile.
  private int first(InputStream in) throws IOException {
    while (true) {
      try {
        return in.read();
      } catch (SocketTimeoutException e) {
        if (open.availablePermits() == IN_FLIGHT) {
          throw e;
        }
      }
    }
  }

  private void answer(byte[] packet, QueryOrigin origin, FastPathLookups lookups, ReplySink sink)
      throws IOException {
    QueryView view = new QueryView();
    Router router = listener.router();
    if (view.read(packet, packet.length) == Verdict.ACCEPT) {
      boolean ipv6 = origin.remote().getAddress() instanceof Inet6Address;
      byte[] reply = new byte[READ_BUFFER];
      int length = lookups.answer(router, view, reply, true, ipv6);
      if (length > 0 && (reply[2] & 2) != 0) {
        reply = new byte[LARGEST];
        length = lookups.answer(router, view, reply, true, ipv6);
      }
      if (length > 0) {
        sink.send(Arrays.copyOf(reply, length));
        return;
      }
    }
    open.acquireUninterruptibly();
    ChainRunner runner = listener.context().runner();
    boolean taken = runner.submit(packet, origin, router, sink, open::release);
    if (!taken) {
      open.release();
      sink.send(ChainRunner.shed(view));
    }
  }

  /// Waits until every question is answered.
  private void drain() {
    open.acquireUninterruptibly(IN_FLIGHT);
    open.release(IN_FLIGHT);
  }

  private void write(OutputStream out, byte[] message) throws IOException {
    byte[] framed = new byte[message.length + 2];
    framed[0] = (byte) (message.length >> 8);
    framed[1] = (byte) message.length;
    System.arraycopy(message, 0, framed, 2, message.length);
    writing.lock();
    try {
      writeStarted = listener.context().ticker().nanos();
      out.write(framed);
      out.flush();
    } finally {
      writeStarted = 0;
      writing.unlock();
    }
  }

  /// Ends it; waiting reads and writes fail. Idempotent.
  void close() {
    closed = true;
    try {
      plain.close();
    } catch (IOException e) {
      log.atDebug().setCause(e).log("cannot close a connection");
    }
  }
}
