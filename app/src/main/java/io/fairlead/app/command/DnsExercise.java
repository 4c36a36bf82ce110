package io.fairlead.app.command;

import io.fairlead.app.cli.Context;
import io.fairlead.client.time.Pacer;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Message;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordType;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Uses a DNS server as a cluster does, so that the JVM learns which classes it needs: a few
/// objects from an API server of a dozen lines, then questions over UDP and TCP.
final class DnsExercise {
  private static final String END =
      """
      {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"1","annotations":{"k8s.io/initial-events-end":"true"}}}}
      """;
  private static final String NAMESPACE =
      """
      {"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"1"}}}
      """;
  private static final String SERVICE =
      """
      {"type":"ADDED","object":{"metadata":{"name":"web","namespace":"a","resourceVersion":"1"},"spec":{"type":"ClusterIP","clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1"],"ports":[{"name":"http","protocol":"TCP","port":80}]}}}
      """;
  private static final String SLICE =
      """
      {"type":"ADDED","object":{"metadata":{"name":"web-1","namespace":"a","resourceVersion":"1","labels":{"kubernetes.io/service-name":"web"}},"addressType":"IPv4","endpoints":[{"addresses":["10.244.0.1"],"conditions":{"ready":true}}],"ports":[{"name":"http","protocol":"TCP","port":80}]}}
      """;
  private static final int PATIENCE = 500;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int ROUNDS = 20;
  // A minute in all: machines that build are busy.
  private static final int MOST_ROUNDS = 600;

  private DnsExercise() {}

  static void run(Path directory, Context context) throws IOException, InterruptedException {
    try (ServerSocket api = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().name("training-api").start(() -> accept(api));
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
                  .formatted(port, freePort(), freePort(), api.getLocalPort(), freePort()));
      Thread.ofPlatform()
          .daemon()
          .name("training-dns")
          .start(
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
    return Message.query(1, Question.of(name, type), Header.RD, new Edns(1232, 0, false, List.of()))
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

  private static void accept(ServerSocket api) {
    while (!api.isClosed()) {
      try {
        Socket socket = api.accept();
        Thread.ofVirtual().name("training-watch").start(() -> answer(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  /// One request: the state, then silence until the other side goes.
  private static void answer(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      String request = String.valueOf(in.readLine());
      while (!isEnd(in.readLine())) {
        continue;
      }
      String state =
          request.contains("/namespaces")
              ? NAMESPACE
              : request.contains("/endpointslices") ? SLICE : SERVICE;
      OutputStream out = socket.getOutputStream();
      String head =
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
      out.write((head + state + END).getBytes(StandardCharsets.UTF_8));
      out.flush();
      in.readLine();
    } catch (IOException e) {
      // The server under training went, or does not want this watch any more.
      return;
    }
  }

  private static boolean isEnd(@Nullable String line) {
    return line == null || line.isEmpty();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
