package io.fairlead.proxy.flows;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A server in a pod that answers over TCP and UDP with its name, its port and the address it sees.
public final class EchoServer implements AutoCloseable {
  private final String name;
  private final int port;
  private final ServerSocket stream;
  private final DatagramSocket datagrams;

  public EchoServer(NetworkNamespace where, String name, int port) {
    this.name = name;
    this.port = port;
    this.stream = where.call(() -> new ServerSocket(port, 1024));
    this.datagrams = where.call(() -> new DatagramSocket(port));
    Thread.ofPlatform().daemon().name("echo-tcp-" + name).start(this::serveStreams);
    Thread.ofPlatform().daemon().name("echo-udp-" + name).start(this::serveDatagrams);
  }

  private void serveStreams() {
    while (!stream.isClosed()) {
      try (Socket client = stream.accept()) {
        client.getOutputStream().write(answer(client.getInetAddress()));
      } catch (IOException _) {
        // The client went away, or the server was closed.
        continue;
      }
    }
  }

  private void serveDatagrams() {
    byte[] buffer = new byte[64];
    while (!datagrams.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        datagrams.receive(packet);
        byte[] answer = answer(packet.getAddress());
        datagrams.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
      } catch (IOException _) {
        continue;
      }
    }
  }

  private byte[] answer(InetAddress seen) {
    return (name + " " + port + " " + IpAddress.ofBytes(seen.getAddress()))
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    stream.close();
    datagrams.close();
  }
}
