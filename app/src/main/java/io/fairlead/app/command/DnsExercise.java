package io.fairlead.app.command;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Uses a DNS server as a cluster does, so that the JVM learns which classes it needs: a few
/// objects from a stand-in for the API, then questions over UDP and TCP.
final class DnsExercise {
  private static final int PATIENCE = 500;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int ROUNDS = 20;
  // A minute in all: machines that build are busy.
  private static final int MOST_ROUNDS = 600;

  private DnsExercise() {}

  static void run(Path directory, CommandContext context) throws IOException, InterruptedException {
    try (TrainingApi api = TrainingApi.start()) {
      int port = freePort();
      Path corefile =
          Files.writeString(
              directory.resolve("Corefile"),
              """
              .:%d {
                errors
                health 127.0.0.1:%d
                ready 127.0.0.1:%d
                kubernetes cluster.local in-addr.arpa ip6.arpa {
                  endpoint http://127.0.0.1:%d
                  pods insecure
                  fallthrough in-addr.arpa ip6.arpa
                  ttl 30
                }
                prometheus 127.0.0.1:%d
                forward . 127.0.0.1:9
                cache 30
                loop
                reload
                loadbalance
              }
              """
                  .formatted(port, freePort(), freePort(), api.port(), freePort()));
      Tasks.startPlatform(
          "training-dns",
          () ->
              Main.shell()
                  .run(List.of("dns-server", "-quiet", "-conf", corefile.toString()), context));
      ask(port);
    }
  }

  private static void ask(int port) throws IOException, InterruptedException {
    int answered = 0;
    for (int round = 0; round < MOST_ROUNDS && answered < ROUNDS; round++) {
      if (udp(port, "web.a.svc.cluster.local", RecordType.A)) {
        answered++;
        udp(port, "_http._tcp.web.a.svc.cluster.local", RecordType.SRV);
        udp(port, "1.0.96.10.in-addr.arpa", RecordType.PTR);
        udp(port, "none.a.svc.cluster.local", RecordType.AAAA);
        udp(port, "cluster.local", RecordType.NS);
      } else {
        Pacer.system().pause(PAUSE);
      }
    }
    if (answered > 0) {
      tcp(port);
    }
  }

  private static byte[] query(String name, int type) {
    return DnsMessage.query(
            1, Question.of(name, type), Header.RD, new Edns(1232, 0, false, List.of()))
        .write(512);
  }

  private static boolean udp(int port, String name, int type) throws IOException {
    byte[] query = query(name, type);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(PATIENCE);
      socket.connect(InetAddress.getLoopbackAddress(), port);
      socket.send(new DatagramPacket(query, query.length));
      DatagramPacket reply = new DatagramPacket(new byte[4096], 4096);
      socket.receive(reply);
      return (reply.getData()[3] & 15) == 0;
    } catch (SocketTimeoutException | PortUnreachableException e) {
      return false;
    }
  }

  private static void tcp(int port) throws IOException {
    byte[] query = query("web.a.svc.cluster.local", RecordType.A);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeShort(query.length);
      out.write(query);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readNBytes(in.readUnsignedShort());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
