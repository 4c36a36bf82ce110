package io.fairlead.dns.testing;

import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.dns.wire.WireException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A server on loopback, over UDP and TCP at one port, that behaves as a test asks it to.
public final class TestUpstream implements AutoCloseable {
  /// What it does with a query over UDP; over TCP it always answers well, unless it is dead.
  public enum Behavior {
    WELL,
    SILENT,
    TRUNCATING,
    /// Sends an answer with another id first.
    WRONG_ID_FIRST,
    WRONG_ID_ONLY,
    OTHER_QUESTION,
    LOWER_CASE,
    GARBAGE,
    SERVFAIL
  }

  private final DatagramSocket udp;
  private final ServerSocket tcp;
  public volatile Behavior mood = Behavior.WELL;
  public volatile String address = "192.0.2.80";
  public volatile CountDownLatch gate = new CountDownLatch(0);
  public final AtomicInteger udpQueries = new AtomicInteger();
  public final AtomicInteger tcpQueries = new AtomicInteger();
  public final AtomicInteger probes = new AtomicInteger();
  public final Set<Integer> ids = ConcurrentHashMap.newKeySet();
  public final Set<Integer> ports = ConcurrentHashMap.newKeySet();
  public final Set<String> spellings = ConcurrentHashMap.newKeySet();
  public volatile @Nullable DnsMessage last;

  public TestUpstream() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    tcp = new ServerSocket(0, 50, loopback);
    udp = new DatagramSocket(tcp.getLocalPort(), loopback);
    Thread.ofVirtual().start(this::serveUdp);
    Thread.ofVirtual().start(this::serveTcp);
  }

  /// As in a Corefile.
  public String target() {
    return "127.0.0.1:" + tcp.getLocalPort();
  }

  private void serveUdp() {
    try {
      while (true) {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        udp.receive(packet);
        Thread.ofVirtual().start(() -> answerUdp(packet));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void answerUdp(DatagramPacket packet) {
    try {
      DnsMessage query = DnsMessage.read(packet.getData(), 0, packet.getLength());
      if (query.questions().getFirst().type() == RecordType.NS) {
        probes.incrementAndGet();
      } else {
        note(query);
        udpQueries.incrementAndGet();
        ports.add(packet.getPort());
      }
      gate.await();
      byte[] bytes = answer(query, mood);
      if (mood == Behavior.WRONG_ID_FIRST || mood == Behavior.WRONG_ID_ONLY) {
        byte[] wrong = bytes.clone();
        wrong[0] ^= 0x55;
        send(wrong, packet);
      }
      switch (mood) {
        case SILENT, WRONG_ID_ONLY -> {}
        case GARBAGE -> {
          byte[] cut = java.util.Arrays.copyOf(bytes, 20);
          send(cut, packet);
        }
        default -> send(bytes, packet);
      }
    } catch (WireException | IOException | InterruptedException e) {
      // The test sees that no answer came.
    }
  }

  private void send(byte[] bytes, DatagramPacket to) throws IOException {
    udp.send(new DatagramPacket(bytes, bytes.length, to.getSocketAddress()));
  }

  private void note(DnsMessage query) {
    last = query;
    ids.add(query.header().id());
    spellings.add(query.questions().getFirst().name().toString());
  }

  private byte[] answer(DnsMessage query, Behavior how) {
    Question question = query.questions().getFirst();
    Question said =
        switch (how) {
          case OTHER_QUESTION ->
              new Question(Name.of("evil.example"), question.type(), question.recordClass());
          case LOWER_CASE ->
              new Question(question.name().lowerCase(), question.type(), question.recordClass());
          default -> question;
        };
    ResourceRecord record = TestReplies.a("x.example", 60, address).withOwner(said.name());
    int flags = Header.QR | Header.RD | Header.RA | (how == Behavior.TRUNCATING ? Header.TC : 0);
    int rcode = how == Behavior.SERVFAIL ? Rcode.SERVFAIL : Rcode.NOERROR;
    boolean empty = how == Behavior.TRUNCATING || how == Behavior.SERVFAIL;
    return new DnsMessage(
            new Header(query.header().id(), 0, flags, rcode),
            List.of(said),
            empty ? List.of() : List.of(record),
            List.of(),
            List.of(),
            null)
        .write(4096);
  }

  private void serveTcp() {
    try {
      while (true) {
        Socket socket = tcp.accept();
        Thread.ofVirtual().start(() -> answerTcp(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void answerTcp(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      while (true) {
        byte[] bytes = new byte[in.readUnsignedShort()];
        in.readFully(bytes);
        DnsMessage query = DnsMessage.read(bytes);
        note(query);
        tcpQueries.incrementAndGet();
        byte[] answer = answer(query, Behavior.WELL);
        out.writeShort(answer.length);
        out.write(answer);
        out.flush();
      }
    } catch (WireException | IOException e) {
      // The other side is done.
    }
  }

  @Override
  public void close() throws IOException {
    udp.close();
    tcp.close();
  }
}
