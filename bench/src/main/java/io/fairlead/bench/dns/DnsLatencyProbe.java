package io.fairlead.bench.dns;

import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordType;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Optional;

/// Asks one question after the other and measures how long each takes. Owned by one thread.
final class DnsLatencyProbe implements AutoCloseable {
  private final DatagramSocket socket;
  private final byte[] buffer = new byte[4096];
  private int id;

  /// @param patience milliseconds
  DnsLatencyProbe(int port, int patience) throws IOException {
    socket = new DatagramSocket();
    socket.connect(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(patience);
  }

  /// The reply; empty when none comes in time.
  Optional<byte[]> ask(String name) throws IOException {
    id = id + 1 & 0xffff;
    byte[] query =
        DnsMessage.query(id, Question.of(name, RecordType.A), Header.RD, null).write(512);
    socket.send(new DatagramPacket(query, query.length));
    try {
      while (true) {
        DatagramPacket reply = new DatagramPacket(buffer, buffer.length);
        socket.receive(reply);
        if (((buffer[0] & 0xff) << 8 | (buffer[1] & 0xff)) == id) {
          return Optional.of(Arrays.copyOf(buffer, reply.getLength()));
        }
      }
    } catch (SocketTimeoutException e) {
      return Optional.empty();
    }
  }

  /// Whether a name has an address.
  boolean answers(String name) throws IOException {
    return ask(name).filter(reply -> (reply[3] & 15) == 0 && reply[7] > 0).isPresent();
  }

  /// Whether an IPv4 address is the last thing in the answer about a name.
  boolean leadsTo(String name, byte[] address) throws IOException {
    return ask(name)
        .filter(
            reply ->
                reply[7] > 0
                    && Arrays.equals(
                        reply, reply.length - 4, reply.length, address, 0, address.length))
        .isPresent();
  }

  @Override
  public void close() {
    socket.close();
  }
}
