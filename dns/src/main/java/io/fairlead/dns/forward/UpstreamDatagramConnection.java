package io.fairlead.dns.forward;

import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.WireException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/// UDP. The socket is connected, so the kernel drops packets from other senders; packets with
/// another id are late or forged and are passed over.
final class UpstreamDatagramConnection implements UpstreamConnection {
  private final DatagramSocket socket;
  private final byte[] buffer = new byte[SocketExchange.LARGEST];

  UpstreamDatagramConnection(DatagramSocket socket) {
    this.socket = socket;
  }

  @Override
  public DnsMessage ask(DnsMessage query, Duration time) throws IOException {
    byte[] bytes = query.write(SocketExchange.LARGEST);
    socket.send(new DatagramPacket(bytes, bytes.length));
    long end = System.nanoTime() + time.toNanos();
    while (true) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new SocketTimeoutException("no answer in time");
      }
      socket.setSoTimeout((int) left);
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      socket.receive(packet);
      int length = packet.getLength();
      boolean ours =
          length >= 12
              && ((buffer[0] & 0xff) << 8 | (buffer[1] & 0xff)) == query.header().id()
              && (buffer[2] & 0x80) != 0;
      if (ours) {
        return read(length);
      }
    }
  }

  private DnsMessage read(int length) throws IOException {
    try {
      return DnsMessage.read(buffer, 0, length);
    } catch (WireException e) {
      throw new IOException("the upstream sent no DNS message: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
