package io.fairlead.kernel.socket;

import io.fairlead.kernel.socket.ConnectResult.Outcome;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Locale;

/// One connection, made to see whether and how it is answered. It has its source port before the
/// first packet is sent, and belongs to the network namespace of the thread that opened it. Closing
/// it resets the connection: the other side sees one that was taken and is gone.
public final class ConnectionProbe implements AutoCloseable {
  private static final int LARGEST_ANSWER = 2048;

  private final NetworkChannel channel;
  private final InetSocketAddress local;
  private final Ticker ticker;

  private ConnectionProbe(NetworkChannel channel, InetSocketAddress local, Ticker ticker) {
    this.channel = channel;
    this.local = local;
    this.ticker = ticker;
  }

  /// Takes a port that no other socket of the namespace has.
  ///
  /// @param source an address of the namespace
  /// @param port 0 for any
  public static ConnectionProbe tcp(InetAddress source, int port, Ticker ticker)
      throws IOException {
    SocketChannel channel = SocketChannel.open(family(source));
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, false);
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.bind(new InetSocketAddress(source, port));
      return new ConnectionProbe(channel, (InetSocketAddress) channel.getLocalAddress(), ticker);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /// The same for datagrams.
  public static ConnectionProbe udp(InetAddress source, int port, Ticker ticker)
      throws IOException {
    DatagramChannel channel = DatagramChannel.open(family(source));
    try {
      channel.bind(new InetSocketAddress(source, port));
      return new ConnectionProbe(channel, (InetSocketAddress) channel.getLocalAddress(), ticker);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static StandardProtocolFamily family(InetAddress address) {
    return address.getAddress().length == 4
        ? StandardProtocolFamily.INET
        : StandardProtocolFamily.INET6;
  }

  public InetSocketAddress local() {
    return local;
  }

  /// Connects, or sends the datagram and waits for one back. Once only.
  ///
  /// @param payload what a datagram carries; not used for TCP
  public ConnectResult run(InetSocketAddress to, byte[] payload, Duration limit) {
    long start = ticker.nanos();
    try {
      switch (channel) {
        case SocketChannel tcp -> tcp.socket().connect(to, Math.toIntExact(limit.toMillis()));
        case DatagramChannel udp -> ask(udp, to, payload, limit);
        default -> throw new IOException("no such socket");
      }
      return new ConnectResult(Outcome.CONNECTED, ticker.nanos() - start, "");
    } catch (IOException e) {
      return new ConnectResult(outcome(e), ticker.nanos() - start, String.valueOf(e.getMessage()));
    }
  }

  private static void ask(
      DatagramChannel channel, InetSocketAddress to, byte[] payload, Duration limit)
      throws IOException {
    channel.connect(to);
    channel.socket().setSoTimeout(Math.toIntExact(limit.toMillis()));
    channel.socket().send(new DatagramPacket(payload, payload.length, to));
    byte[] answer = new byte[LARGEST_ANSWER];
    channel.socket().receive(new DatagramPacket(answer, answer.length));
  }

  private static Outcome outcome(IOException e) {
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    return switch (e) {
      case SocketTimeoutException _ -> Outcome.TIMEOUT;
      case PortUnreachableException _ -> Outcome.REFUSED;
      case NoRouteToHostException _ -> Outcome.UNREACHABLE;
      case ConnectException _ when text.contains("refused") -> Outcome.REFUSED;
      case ConnectException _ when text.contains("timed out") -> Outcome.TIMEOUT;
      default -> text.contains("unreachable") ? Outcome.UNREACHABLE : Outcome.FAILED;
    };
  }

  /// Ends the connection without a farewell. Idempotent.
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
