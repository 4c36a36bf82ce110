package io.fairlead.bench.userspace;

import io.fairlead.bench.report.Samples;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/// A client that measures. Every answer is checked. Runs inside the client's namespace.
final class RelayProbe {
  private static final double MICROS = 1e3;
  private static final int CHUNK = 256 * 1024;

  private final ByteBuffer one = ByteBuffer.allocateDirect(1);

  private SocketChannel connect(InetSocketAddress to) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.connect(to);
    return channel;
  }

  /// Waits until a process listens.
  void awaitListening(InetSocketAddress to, Duration limit) throws IOException {
    long give = System.nanoTime() + limit.toNanos();
    while (true) {
      try (SocketChannel channel = connect(to)) {
        exchange(channel, (byte) 1);
        return;
      } catch (ConnectException e) {
        if (System.nanoTime() > give) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  private void exchange(SocketChannel channel, byte value) throws IOException {
    one.clear().put(0, value);
    channel.write(one);
    one.clear();
    if (channel.read(one) != 1 || one.get(0) != value) {
      throw new IllegalStateException("a wrong answer");
    }
  }

  /// Connect, a byte each way, close.
  Samples exchanges(InetSocketAddress to, int count) throws IOException {
    double[] times = new double[count];
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      try (SocketChannel channel = connect(to)) {
        exchange(channel, (byte) i);
        times[i] = (System.nanoTime() - start) / MICROS;
      }
    }
    return new Samples(times);
  }

  /// A byte each way on one connection.
  Samples kept(InetSocketAddress to, int count) throws IOException {
    double[] times = new double[count];
    try (SocketChannel channel = connect(to)) {
      for (int i = 0; i < count; i++) {
        long start = System.nanoTime();
        exchange(channel, (byte) i);
        times[i] = (System.nanoTime() - start) / MICROS;
      }
    }
    return new Samples(times);
  }

  /// One stream; megabytes a second.
  double bulk(InetSocketAddress to, long megabytes) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
    long start = System.nanoTime();
    try (SocketChannel channel = connect(to)) {
      for (long left = megabytes << 20; left > 0; ) {
        left -= channel.write(chunk.clear());
      }
      channel.shutdownOutput();
      one.clear();
      if (channel.read(one) != 1) {
        throw new IllegalStateException("the stream was cut");
      }
    }
    return megabytes * 1e9 / (System.nanoTime() - start);
  }
}
