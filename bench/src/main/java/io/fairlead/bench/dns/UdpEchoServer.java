package io.fairlead.bench.dns;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/// What a socket of the JDK can do at best: sends every packet back with the response bit set. The
/// one argument is a port of the loopback interface.
public final class UdpEchoServer {
  private UdpEchoServer() {}

  public static void main(String[] words) throws Exception {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(words[0])));
      ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
      while (true) {
        buffer.clear();
        SocketAddress client = channel.receive(buffer);
        buffer.flip();
        buffer.put(2, (byte) (buffer.get(2) | 0x84));
        channel.send(buffer, client);
      }
    }
  }
}
