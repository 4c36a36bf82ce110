package io.fairlead.app.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.Provokes;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What `fairlead dns` asks and prints.
class DnsCommandTest {
  @TempDir Path directory;

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
      Thread.ofVirtual().start(() -> serve(socket, Name.of("web.svc.cluster.local")));
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

  /// A cluster with a client in `default`, and a Service `web` in `shop` only.
  private static FakeApi cluster() {
    FakeApi api = new FakeApi(List.of(ResourceType.SERVICES, ResourceType.PODS));
    Client client = new Client(api);
    client.create(
        ResourceType.PODS,
        "default",
        (ObjectNode) Yaml.parse("{metadata: {name: client-0, namespace: default}}"));
    client.create(ResourceType.NAMESPACES, "", (ObjectNode) Yaml.parse("{metadata: {name: shop}}"));
    client.create(
        ResourceType.SERVICES,
        "shop",
        (ObjectNode) Yaml.parse("{metadata: {name: web, namespace: shop}, spec: {}}"));
    return api;
  }

  private CommandLineHarness.Result asClient(Name there, String... words) throws IOException {
    try (TransportHttpServer http =
            new TransportHttpServer(
                cluster(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
      Path kubeconfig = directory.resolve("kubeconfig");
      Files.writeString(kubeconfig, http.kubeconfig());
      Thread.ofVirtual().start(() -> serve(socket, there));
      List<String> line = new ArrayList<>(List.of(words));
      line.add("--from=pod/client-0");
      line.add("--server=127.0.0.1:" + socket.getLocalPort());
      line.add("--kubeconfig=" + kubeconfig);
      return new CommandLineHarness().run(line.toArray(String[]::new));
    }
  }

  @Test
  void v135AServiceOfAnotherNamespaceIsNamed() throws IOException {
    Name there = Name.of("web.shop.svc.cluster.local");
    var result = asClient(there, "dns", "web");
    assertThat(result.exit()).as(result.err()).isEqualTo(3);
    assertThat(result.out())
        .contains("! web is in namespace shop: from default say web.shop   FL151");
    assertThat(asClient(there, "dns", "web.shop").exit()).isZero();
    assertThat(asClient(there, "dns", "nowhere").out()).doesNotContain("FL151");
  }

  @Test
  void v136ANameOutsideOfTheClusterTakesManyQuestions() throws IOException {
    var result = asClient(Name.of("example.com"), "dns", "example.com");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            "– each look-up of example.com takes 8 queries   FL153", "end the name with a dot");
    assertThat(asClient(Name.of("example.com"), "dns", "example.com.").out())
        .doesNotContain("FL153");
    // Names of the cluster are what the search list is for.
    assertThat(asClient(Name.of("web.cluster.local"), "dns", "web").out()).doesNotContain("FL153");
  }

  private static void serve(DatagramSocket socket, Name there) {
    byte[] buffer = new byte[512];
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
