package io.fairlead.app.dns;

import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.WireException;
import io.fairlead.work.Ticker;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// Asks a DNS server one question: over UDP, and again over TCP when the answer was cut.
public final class DnsClient {
  private static final int PATIENCE = 5000;
  private static final int LARGEST = 65_535;

  private final InetSocketAddress server;
  private final Ticker ticker;
  private final RandomGenerator random;

  /// @param random hard to guess
  public DnsClient(InetSocketAddress server, Ticker ticker, RandomGenerator random) {
    this.server = server;
    this.ticker = ticker;
    this.random = random;
  }

  /// @param nanos how long it took
  public record Response(DnsMessage reply, long nanos) {}

  /// IOException when no usable reply comes within five seconds.
  public Response ask(String name, int type) throws IOException {
    long started = ticker.nanos();
    int id = random.nextInt(0x10000);
    byte[] query = DnsMessage.query(id, Question.of(name, type), Header.RD, null).write(LARGEST);
    DnsMessage reply = read(udp(query), id);
    if (reply.header().is(Header.TC)) {
      reply = read(tcp(query), id);
    }
    return new Response(reply, ticker.nanos() - started);
  }

  private static DnsMessage read(byte[] bytes, int id) throws IOException {
    try {
      DnsMessage message = DnsMessage.read(bytes);
      if (message.header().id() != id) {
        throw new IOException("a reply to another question");
      }
      return message;
    } catch (WireException e) {
      throw new IOException("not a DNS reply", e);
    }
  }

  private byte[] udp(byte[] query) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(PATIENCE);
      socket.connect(server);
      socket.send(new DatagramPacket(query, query.length));
      DatagramPacket reply = new DatagramPacket(new byte[LARGEST], LARGEST);
      socket.receive(reply);
      return Arrays.copyOf(reply.getData(), reply.getLength());
    }
  }

  private byte[] tcp(byte[] query) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(PATIENCE);
      socket.connect(server, PATIENCE);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeShort(query.length);
      out.write(query);
      out.flush();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      return in.readNBytes(in.readUnsignedShort());
    }
  }
}
