package io.fairlead.agent;

import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A DNS server that writes down what it is asked. It knows one name, which has its own address and
/// nothing by IPv6, and says of all others that they do not exist.
final class RecordingDnsServer implements AutoCloseable {
  private static final int HEADER = 12;
  private static final int TYPE_A = 1;
  private static final int TYPE_AAAA = 28;

  private final InetAddress address;
  private final String known;
  private final DatagramSocket socket;
  private final List<String> asked = new CopyOnWriteArrayList<>();

  /// @param address one that the place has
  /// @param known without a dot at its end
  RecordingDnsServer(NetworkNamespace place, InetAddress address, String known) {
    this.address = address;
    this.known = known;
    this.socket = place.call(() -> new DatagramSocket(53, address));
    Thread.ofPlatform().daemon(true).name("query log").start(this::serve);
  }

  /// `A www.example.com`, in the order of arrival.
  List<String> asked() {
    return List.copyOf(asked);
  }

  private void serve() {
    byte[] buffer = new byte[4096];
    try {
      while (true) {
        DatagramPacket question = new DatagramPacket(buffer, buffer.length);
        socket.receive(question);
        byte[] answer = answer(Arrays.copyOf(buffer, question.getLength()));
        socket.send(new DatagramPacket(answer, answer.length, question.getSocketAddress()));
      }
    } catch (IOException _) {
      // Closed.
    }
  }

  private byte[] answer(byte[] question) {
    List<String> labels = new ArrayList<>();
    int at = HEADER;
    while (question[at] != 0) {
      labels.add(new String(question, at + 1, question[at], StandardCharsets.US_ASCII));
      at += 1 + question[at];
    }
    int type = (question[at + 1] & 0xff) << 8 | (question[at + 2] & 0xff);
    int end = at + 5;
    String name = String.join(".", labels);
    asked.add((type == TYPE_A ? "A" : type == TYPE_AAAA ? "AAAA" : "TYPE" + type) + " " + name);
    boolean exists = name.equals(known);
    boolean has = exists && type == TYPE_A;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(question, 0, 2);
    // An authoritative answer to a recursive question, 3 when there is no such name.
    out.writeBytes(new byte[] {(byte) 0x85, (byte) (exists ? 0x80 : 0x83), 0, 1, 0, 0});
    out.writeBytes(new byte[] {0, 0, 0, 0});
    out.write(question, HEADER, end - HEADER);
    byte[] whole = out.toByteArray();
    if (!has) {
      return whole;
    }
    whole[7] = 1;
    out.reset();
    out.writeBytes(whole);
    // The name of the question, type and class, a minute, four bytes.
    out.writeBytes(new byte[] {(byte) 0xc0, HEADER, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4});
    out.writeBytes(address.getAddress());
    return out.toByteArray();
  }

  @Override
  public void close() {
    socket.close();
  }
}
