package io.fairlead.bench.dns;

import io.fairlead.bench.report.Samples;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/// As many questions as one core can send, whatever becomes of them, and how long those took that
/// were answered. One thread sends and receives in turn, so that no answer waits for the measuring.
final class Flood {
  /// @param offered questions sent a second
  /// @param answered of them a second
  record Result(double offered, double answered, Samples milliseconds) {}

  private static final int BURST = 32;
  // Later than that an id may have been used again.
  private static final long OLDEST = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MOST_SAMPLES = 4_000_000;

  private Flood() {}

  static Result run(int port, int services, int seconds) throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    ByteBuffer[] queries = new ByteBuffer[1000];
    for (int i = 0; i < queries.length; i++) {
      byte[] query = DnsServerUnderTest.query(Population.name(random.nextInt(services)));
      queries[i] = ByteBuffer.allocateDirect(query.length).put(query).flip();
    }
    long[] sentAt = new long[0x10000];
    double[] took = new double[MOST_SAMPLES];
    int answered = 0;
    long sent = 0;
    ByteBuffer reply = ByteBuffer.allocateDirect(4096);
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.configureBlocking(false);
      long begin = System.nanoTime();
      long until = begin + TimeUnit.SECONDS.toNanos(seconds);
      while (System.nanoTime() < until) {
        for (int i = 0; i < BURST; i++) {
          int id = (int) (sent & 0xffff);
          ByteBuffer query = queries[(int) (sent % queries.length)];
          query.putShort(0, (short) id).rewind();
          sentAt[id] = System.nanoTime();
          sent += send(channel, query) ? 1 : 0;
        }
        for (int n = receive(channel, reply); n > 0; n = receive(channel, reply)) {
          long age = System.nanoTime() - sentAt[reply.getShort(0) & 0xffff];
          if (age < OLDEST && answered < MOST_SAMPLES) {
            took[answered++] = age / 1e6;
          }
        }
      }
    }
    double[] all = java.util.Arrays.copyOf(took, answered);
    return new Result(sent / (double) seconds, answered / (double) seconds, new Samples(all));
  }

  private static boolean send(DatagramChannel channel, ByteBuffer query) throws IOException {
    try {
      return channel.write(query) > 0;
    } catch (PortUnreachableException e) {
      return false;
    }
  }

  private static int receive(DatagramChannel channel, ByteBuffer reply) throws IOException {
    reply.clear();
    return channel.read(reply);
  }
}
