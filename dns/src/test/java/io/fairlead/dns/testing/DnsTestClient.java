package io.fairlead.dns.testing;

import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.WireException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks a server as a client would: one question, one socket.
public final class DnsTestClient {
  private static final int ID = 0x4242;
  private static final int PATIENCE = 60_000;

  private DnsTestClient() {}

  public static DnsMessage query(String name, String type, @Nullable Edns edns) {
    Question question =
        new Question(Name.of(name), RecordType.parse(type).orElseThrow(), RecordClass.IN);
    return DnsMessage.query(ID, question, Header.RD, edns);
  }

  public static DnsMessage udp(InetSocketAddress server, String name, String type) {
    return udp(server, query(name, type, null));
  }

  public static DnsMessage udp(InetSocketAddress server, DnsMessage query) {
    return read(udp(server, query.write(65_535), PATIENCE).orElseThrow());
  }

  public static DnsMessage tcp(InetSocketAddress server, String name, String type) {
    return tcp(server, query(name, type, null));
  }

  public static DnsMessage tcp(InetSocketAddress server, DnsMessage query) {
    return read(tcp(server, query.write(65_535)).orElseThrow());
  }

  /// The bytes that come back; empty when none do in so many milliseconds.
  public static Optional<byte[]> udp(InetSocketAddress server, byte[] packet, int patience) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(patience);
      socket.connect(server);
      socket.send(new DatagramPacket(packet, packet.length));
      DatagramPacket reply = new DatagramPacket(new byte[65_535], 65_535);
      socket.receive(reply);
      return Optional.of(Arrays.copyOf(reply.getData(), reply.getLength()));
    } catch (SocketTimeoutException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The first reply; empty when the server closes the connection instead.
  public static Optional<byte[]> tcp(InetSocketAddress server, byte[] packet) {
    try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
      socket.setSoTimeout(PATIENCE);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      byte[] framed = new byte[packet.length + 2];
      framed[0] = (byte) (packet.length >> 8);
      framed[1] = (byte) packet.length;
      System.arraycopy(packet, 0, framed, 2, packet.length);
      out.write(framed);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      int high = in.read();
      if (high < 0) {
        return Optional.empty();
      }
      return Optional.of(in.readNBytes(high << 8 | in.read()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static DnsMessage read(byte[] bytes) {
    try {
      return DnsMessage.read(bytes);
    } catch (WireException e) {
      throw new IllegalStateException("not a message", e);
    }
  }
}
