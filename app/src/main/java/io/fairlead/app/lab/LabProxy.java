package io.fairlead.app.lab;

import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Opens connections inside a lab for those outside of it.
///
/// How it works: a Unix socket is a file, and files the lab shares with the machine. Its first line
/// says what is wanted: `port NUMBER` is a port of the lab's loopback, `proxy NAMESPACE` an HTTP
/// proxy that finds names as a pod of that namespace does.
final class LabProxy implements AutoCloseable {
  private static final int LARGEST_HEAD = 64 << 10;
  private static final String TO_PORT = "port ";
  private static final String TO_PROXY = "proxy ";

  private final ServerSocketChannel listener;
  private final ClusterNames names;

  private LabProxy(ServerSocketChannel listener, ClusterNames names) {
    this.listener = listener;
    this.names = names;
  }

  static byte[] toPort(int port) {
    return (TO_PORT + port + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] toProxy(String namespace) {
    return (TO_PROXY + namespace + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  static LabProxy open(Path socket, ClusterNames names) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listener.bind(UnixDomainSocketAddress.of(socket));
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
    LabProxy proxy = new LabProxy(listener, names);
    Tasks.start("lab proxy", proxy::accept);
    return proxy;
  }

  private void accept() throws IOException {
    while (listener.isOpen()) {
      SocketChannel connection = listener.accept();
      Tasks.start("lab connection", () -> serve(connection));
    }
  }

  private void serve(SocketChannel connection) throws IOException, InterruptedException {
    try (connection) {
      String wanted = line(connection);
      if (wanted.startsWith(TO_PORT)) {
        int port = Integer.parseInt(wanted.substring(TO_PORT.length()));
        try (SocketChannel server =
            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
          Relay.between(connection, server);
        }
      } else if (wanted.startsWith(TO_PROXY)) {
        forward(connection, wanted.substring(TO_PROXY.length()));
      }
    } catch (IOException _) {
      // The other side sees its connection end.
    }
  }

  private void forward(SocketChannel connection, String namespace)
      throws IOException, InterruptedException {
    RequestHead head;
    SocketChannel opened;
    try {
      head = RequestHead.parse(head(connection));
      opened =
          SocketChannel.open(
              new InetSocketAddress(names.find(head.host(), namespace), head.port()));
    } catch (IOException e) {
      refuse(connection, e);
      return;
    }
    try (SocketChannel server = opened) {
      if (head.isTunnel()) {
        send(connection, "HTTP/1.1 200 Connected\r\n\r\n");
      } else {
        Relay.write(server, ByteBuffer.wrap(head.forwarded()));
      }
      Relay.between(connection, server);
    }
  }

  private static void refuse(SocketChannel connection, IOException e) throws IOException {
    byte[] reason = String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
    send(
        connection,
        "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
            + reason.length
            + "\r\nConnection: close\r\n\r\n");
    Relay.write(connection, ByteBuffer.wrap(reason));
  }

  private static void send(SocketChannel connection, String text) throws IOException {
    Relay.write(connection, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  /// The lines of a head, without the empty one. Nothing behind it is taken from the connection.
  private static String head(SocketChannel connection) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String line = line(connection); !line.isEmpty(); line = line(connection)) {
      lines.append(line).append('\n');
      if (lines.length() > LARGEST_HEAD) {
        throw new ProtocolException("the head is too long");
      }
    }
    return lines.toString();
  }

  /// Byte by byte, so that what follows the line stays in the connection.
  private static String line(SocketChannel connection) throws IOException {
    ByteBuffer one = ByteBuffer.allocate(1);
    StringBuilder line = new StringBuilder();
    while (line.length() <= LARGEST_HEAD) {
      if (connection.read(one) < 0) {
        throw new ProtocolException("ended within a line");
      }
      char c = (char) (one.flip().get() & 0xff);
      one.clear();
      if (c == '\n') {
        return line.toString().stripTrailing();
      }
      line.append(c);
    }
    throw new ProtocolException("the line is too long");
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
