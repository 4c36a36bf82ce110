package io.fairlead.app.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.Provokes;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What `fairlead dns` asks and prints.
class DnsCommandTest {
  record Row(String name, SearchList search, String asked, List<String> names) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    SearchList usual = SearchList.of("shop", "cluster.local");
    return Stream.of(
        new Row(
            "a short name walks the list",
            usual,
            "web",
            List.of(
                "web.shop.svc.cluster.local.",
                "web.svc.cluster.local.",
                "web.cluster.local.",
                "web.")),
        new Row(
            "five dots come first as they are",
            new SearchList(List.of("x"), 5),
            "a.b.c.d.e.f",
            List.of("a.b.c.d.e.f.", "a.b.c.d.e.f.x.")),
        new Row("a last dot ends it", usual, "web.", List.of("web.")),
        new Row("no list", new SearchList(List.of(), 1), "web", List.of("web.")));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void namesToTry(Row row) {
    assertThat(row.search().names(row.asked())).isEqualTo(row.names());
  }

  @Test
  void showsEveryQuestionUpToTheFirstAddress() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
      Thread.ofVirtual().start(() -> serve(socket));
      String server = "127.0.0.1:" + socket.getLocalPort();
      var full = new CommandLineHarness().run("dns", "web", "-n", "shop", "--server", server);
      assertThat(full.exit()).as(full.err()).isZero();
      assertThat(full.out())
          .contains("web.shop.svc.cluster.local.", "NXDOMAIN", "10.96.0.7", "TTL 30", " ms")
          .doesNotContain("web.cluster.local.");
      var brief =
          new CommandLineHarness().run("dns", "web", "-n", "shop", "--server", server, "--short");
      assertThat(brief.out().strip().split("\\s+"))
          .containsExactly("web.svc.cluster.local.", "A", "10.96.0.7");
    }
  }

  private static void serve(DatagramSocket socket) {
    byte[] buffer = new byte[512];
    Name there = Name.of("web.svc.cluster.local");
    try {
      while (true) {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        socket.receive(packet);
        DnsMessage query = DnsMessage.read(Arrays.copyOf(buffer, packet.getLength()));
        boolean known = query.questions().getFirst().name().equals(there);
        boolean address = known && query.questions().getFirst().type() == RecordType.A;
        byte[] reply =
            new DnsMessage(
                    new Header(query.header().id(), 0, Header.QR, known ? 0 : 3),
                    query.questions(),
                    address
                        ? List.of(ResourceRecord.address(there, 30, IpAddress.parse("10.96.0.7")))
                        : List.of(),
                    List.of(),
                    List.of(),
                    null)
                .write(512);
        socket.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
      }
    } catch (Exception e) {
      assertThat(socket.isClosed()).as(e.toString()).isTrue();
    }
  }

  @Test
  @Provokes(ErrorCode.FL150)
  void nobodyAnswers() throws IOException {
    int port;
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
      port = socket.getLocalPort();
    }
    var result = new CommandLineHarness().run("dns", "web", "--server", "127.0.0.1:" + port);
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).contains("FL150", "127.0.0.1:" + port);
  }
}
