package io.fairlead.bench.api;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import org.jspecify.annotations.Nullable;

/// One watch over TLS that a selector serves together with many others: a read takes one call of
/// the kernel and no change of threads, so that the watchers cost the machine little beside the
/// server.
///
/// Used by one thread at a time.
final class WatchConnection implements Closeable {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

  private final SocketChannel channel;
  private final SSLEngine engine;
  private final ByteBuffer encrypted;
  // Begins with the end of what was read before: what is looked for may lie across two reads.
  private final ByteBuffer plain;

  private WatchConnection(SocketChannel channel, SSLEngine engine) {
    this.channel = channel;
    this.engine = engine;
    this.encrypted = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    this.plain = ByteBuffer.allocate(2 * engine.getSession().getApplicationBufferSize());
  }

  /// Opens a watch and returns when its headers are there.
  static WatchConnection open(ApiServerUnderTest target, String path) throws IOException {
    SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", target.port()));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    SSLEngine engine = RawHttpsConnection.TRUSTING.createSSLEngine("127.0.0.1", target.port());
    engine.setUseClientMode(true);
    WatchConnection opened = new WatchConnection(channel, engine);
    opened.handshake();
    opened.send("GET " + path + RawHttpsConnection.headers(target) + "\r\n");
    opened.readHead();
    return opened;
  }

  /// From now on the selector says when there is something to read.
  void register(Selector selector, Object attachment) throws IOException {
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, attachment);
  }

  /// Reads what has come, if anything has.
  ///
  /// @return whether those bytes are in it
  boolean readAndFind(byte @Nullable [] wanted) throws IOException {
    if (channel.read(encrypted) < 0) {
      throw new EOFException("the server closed the connection");
    }
    boolean found = false;
    while (unwrap() == SSLEngineResult.Status.OK) {
      found |= wanted != null && contains(wanted);
      keepLast(wanted == null ? 0 : wanted.length - 1);
    }
    return found;
  }

  private void handshake() throws IOException {
    engine.beginHandshake();
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_WRAP -> wrap(NOTHING.duplicate());
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> readRecord();
        case NEED_TASK -> runTasks();
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  private void send(String text) throws IOException {
    wrap(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private void wrap(ByteBuffer bytes) throws IOException {
    ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(bytes, record);
    record.flip();
    while (record.hasRemaining()) {
      channel.write(record);
    }
  }

  private void readHead() throws IOException {
    while (!contains(HEAD_END)) {
      readRecord();
    }
    if (!contains(OK)) {
      throw new IOException(
          "no stream: " + new String(plain.array(), 0, plain.position(), StandardCharsets.UTF_8));
    }
    plain.clear();
  }

  /// Reads one record, waiting for it.
  private void readRecord() throws IOException {
    while (unwrap() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
      if (channel.read(encrypted) < 0) {
        throw new EOFException("the server closed the connection");
      }
    }
  }

  private SSLEngineResult.Status unwrap() throws IOException {
    if (encrypted.position() == 0) {
      return SSLEngineResult.Status.BUFFER_UNDERFLOW;
    }
    encrypted.flip();
    SSLEngineResult result = engine.unwrap(encrypted, plain);
    encrypted.compact();
    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
      throw new EOFException("the server closed the connection");
    }
    if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_TASK) {
      runTasks();
    }
    return result.getStatus();
  }

  private boolean contains(byte[] wanted) {
    byte[] bytes = plain.array();
    for (int at = 0; at + wanted.length <= plain.position(); at++) {
      int i = 0;
      while (i < wanted.length && bytes[at + i] == wanted[i]) {
        i++;
      }
      if (i == wanted.length) {
        return true;
      }
    }
    return false;
  }

  private void keepLast(int most) {
    plain.flip().position(Math.max(0, plain.limit() - most));
    plain.compact();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
