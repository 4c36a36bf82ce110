package io.fairlead.dns.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.testing.FaultyTransport;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.SpecVectorCluster;
import io.fairlead.dns.testing.StubUpstream;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.ImmutableBytes;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// The vectors of section 5 that are about packets, sizes and changes rather than records.
class PacketVectorsTest {
  private static final String COREFILE =
      """
      .:0 {
        kubernetes cluster.local in-addr.arpa ip6.arpa {
          ttl 30
          pods insecure
          fallthrough in-addr.arpa ip6.arpa
        }
        forward . upstream
      }
      """;
  private static final String SWARM = "swarm.quay.svc.cluster.local";
  private static final StubUpstream UPSTREAM = new StubUpstream();
  private static TestDnsServer server;

  @BeforeAll
  static void start() throws SetupException {
    server =
        new TestDnsServer(
                COREFILE,
                SpecVectorCluster.cluster()::client,
                List.of("10.9.9.9"),
                List.of(UPSTREAM))
            .awaitCluster("mute.quay.svc.cluster.local");
  }

  @AfterAll
  static void stop() {
    UPSTREAM.slow.countDown();
    server.close();
  }

  @Test
  void vector62ExternalNameBecomesClusterAddress() throws SetupException {
    DnsTestCluster cluster = SpecVectorCluster.cluster();
    try (TestDnsServer own =
            new TestDnsServer(COREFILE, cluster::client, List.of(), List.of(new StubUpstream()))
                .awaitCluster("mute.quay.svc.cluster.local");
        Client client = cluster.client()) {
      String name = "outside.harbor.svc.cluster.local";
      assertThat(DnsTestClient.udp(own.address(), name, "CNAME").answer()).hasSize(1);
      ObjectNode patch = Json.object();
      patch
          .putObject("spec")
          .put("type", "ClusterIP")
          .putNull("externalName")
          .put("clusterIP", "10.96.14.50")
          .putArray("clusterIPs")
          .add("10.96.14.50");
      client.patch(
          DnsTestCluster.SERVICES, new ObjectKey("harbor", "outside"), PatchType.MERGE, patch);
      await()
          .atMost(TestDnsServer.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(DnsTestClient.udp(own.address(), name, "A").answer())
                      .extracting(Object::toString)
                      .containsExactly(name + ". 30 IN A 10.96.14.50"));
      DnsMessage alias = DnsTestClient.udp(own.address(), name, "CNAME");
      assertThat(alias.rcode()).isEqualTo(Rcode.NOERROR);
      assertThat(alias.answer()).isEmpty();
      assertThat(alias.authority()).hasSize(1);
    }
  }

  @Test
  void vector80NameServerWithoutAService() {
    DnsMessage reply = DnsTestClient.udp(server.address(), "cluster.local", "NS");
    assertThat(reply.answer())
        .extracting(Object::toString)
        .containsExactly("cluster.local. 30 IN NS ns.dns.cluster.local.");
    assertThat(reply.additional())
        .extracting(Object::toString)
        .containsExactly("ns.dns.cluster.local. 30 IN A 10.9.9.9");
  }

  @Test
  void vector100NothingIsDeniedBeforeTheClusterIsKnown() throws SetupException {
    try (TestDnsServer blind =
        new TestDnsServer(
            COREFILE,
            () -> new Client(FaultyTransport.unreachable()),
            List.of(),
            List.of(new StubUpstream()))) {
      Edns edns = new Edns(1232, 0, false, List.of());
      for (String name : List.of("crane.harbor.svc.cluster.local", "7.14.96.10.in-addr.arpa")) {
        String type = name.endsWith("arpa") ? "PTR" : "A";
        DnsMessage reply =
            DnsTestClient.udp(blind.address(), DnsTestClient.query(name, type, edns));
        assertThat(reply.rcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(reply.authority()).hasSize(1);
        assertThat(Objects.requireNonNull(reply.edns()).option(EdnsOption.ERROR)).isPresent();
      }
      assertThat(DnsTestClient.udp(blind.address(), "db.example.net", "A").answer()).hasSize(1);
    }
  }

  /// @param edns the size the client offers; 0 for no OPT record
  record Size(String name, int edns, boolean tcp, int answers, boolean truncated, int most) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Size> sizes() {
    return Stream.of(
        new Size("101 plain UDP", 0, false, 29, true, 512),
        new Size("102 OPT 1232", 1232, false, 73, true, 1232),
        new Size("103 OPT 4096 is cut to 1232", 4096, false, 73, true, 1232),
        new Size("104 TCP", 1232, true, 1000, false, 16_057),
        new Size("OPT smaller than 512 counts as 512", 100, false, 28, true, 512));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void vectors101To104(Size size) {
    Edns edns = size.edns() == 0 ? null : new Edns(size.edns(), 0, false, List.of());
    byte[] query = DnsTestClient.query(SWARM, "A", edns).write(512);
    byte[] bytes =
        (size.tcp()
                ? DnsTestClient.tcp(server.address(), query)
                : DnsTestClient.udp(server.address(), query, 60_000))
            .orElseThrow();
    DnsMessage reply = DnsTestClient.read(bytes);
    assertThat(bytes.length).isLessThanOrEqualTo(size.most());
    assertThat(reply.answer()).hasSize(size.answers());
    assertThat(new HashSet<>(reply.answer())).hasSize(size.answers());
    assertThat(reply.header().is(Header.TC)).isEqualTo(size.truncated());
    assertThat(reply.edns() != null).isEqualTo(size.edns() != 0);
  }

  @Test
  void vector105AdditionalRecordsAreCutWithoutTruncation() {
    DnsMessage reply = DnsTestClient.tcp(server.address(), "_web._tcp." + SWARM, "SRV");
    assertThat(reply.answer()).hasSize(1000);
    assertThat(reply.answer()).allMatch(each -> each.toString().contains(" SRV 0 1 80 "));
    assertThat(reply.additional()).hasSizeBetween(1, 999);
    assertThat(reply.header().is(Header.TC)).isFalse();
  }

  @Test
  void vector106TruncatedAnswersAreRandom() {
    Set<ResourceRecord> seen = new HashSet<>();
    for (int i = 0; i < 600; i++) {
      seen.addAll(DnsTestClient.udp(server.address(), SWARM, "A").answer());
    }
    assertThat(seen).hasSize(1000);
  }

  /// @param rcode empty when no reply may come
  record Raw(String name, String hex, String rcode) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Raw> packets() {
    String question = "056372616e6506686172626f720373766307636c7573746572056c6f63616c0000010001";
    return Stream.of(
        new Raw("108 two questions", "424201000002000000000000" + question + question, "FORMERR"),
        new Raw("108 update", "424229000001000000000000" + question, "NOTIMP"),
        new Raw("108 notify", "424221000001000000000000" + question, "NOTIMP"),
        new Raw("108 a response", "424281000001000000000000" + question, ""),
        new Raw("108 eleven bytes", "4242010000010000000000", ""),
        new Raw("112 pointer to itself", "424201000001000000000000c00c00010001", "FORMERR"),
        new Raw(
            "112 two pointers in a loop", "424201000001000000000000c00ec00c00010001", "FORMERR"),
        new Raw(
            "112 label of 64",
            "42420100000100000000000040" + "61".repeat(64) + "0000010001",
            "FORMERR"),
        new Raw("header alone", "424201000001000000000000", "FORMERR"));
  }

  @ParameterizedTest
  @MethodSource("packets")
  void vectors108And112(Raw raw) {
    byte[] packet = HexFormat.of().parseHex(raw.hex());
    Optional<byte[]> reply =
        DnsTestClient.udp(server.address(), packet, raw.rcode().isEmpty() ? 500 : 60_000);
    if (raw.rcode().isEmpty()) {
      assertThat(reply).isEmpty();
      return;
    }
    assertThat(reply.orElseThrow()).hasSize(12);
    DnsMessage message = DnsTestClient.read(reply.orElseThrow());
    assertThat(Rcode.name(message.rcode())).isEqualTo(raw.rcode());
    assertThat(message.header().id()).isEqualTo(0x4242);
    assertThat(reply.orElseThrow().length).isLessThanOrEqualTo(packet.length);
    assertThat(DnsTestClient.tcp(server.address(), packet)).isPresent();
  }

  @Test
  void vector109UnknownVersionOfEdns() {
    Edns edns = new Edns(1232, 1, true, List.of());
    DnsMessage reply =
        DnsTestClient.udp(
            server.address(), DnsTestClient.query("crane.harbor.svc.cluster.local", "A", edns));
    assertThat(reply.rcode()).isEqualTo(Rcode.BADVERS);
    assertThat(Objects.requireNonNull(reply.edns()).version()).isZero();
    assertThat(reply.header().is(Header.AA)).isFalse();
    assertThat(reply.answer()).isEmpty();
  }

  @Test
  void vector110ClassChaosIsRefused() {
    Question question =
        new Question(
            Question.of("crane.harbor.svc.cluster.local", RecordType.TXT).name(),
            RecordType.TXT,
            RecordClass.CH);
    DnsMessage reply =
        DnsTestClient.udp(server.address(), DnsMessage.query(1, question, Header.RD, null));
    assertThat(reply.rcode()).isEqualTo(Rcode.REFUSED);
  }

  @Test
  void vector111SlowAnswersHoldNobodyUp() throws IOException {
    InetSocketAddress address = server.address();
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(60_000);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      for (int i = 0; i < 200; i++) {
        String name = i == 0 ? "slow.example.net" : "db.example.net";
        byte[] query = DnsTestClient.query(name, "A", null).write(512);
        query[0] = (byte) (i >> 8);
        query[1] = (byte) i;
        out.writeShort(query.length);
        out.write(query);
      }
      out.flush();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      Set<Integer> seen = new HashSet<>();
      for (int i = 0; i < 199; i++) {
        byte[] reply = in.readNBytes(in.readUnsignedShort());
        seen.add((reply[0] & 0xff) << 8 | (reply[1] & 0xff));
      }
      assertThat(seen).hasSize(199).doesNotContain(0);
      UPSTREAM.slow.countDown();
      byte[] last = in.readNBytes(in.readUnsignedShort());
      assertThat(Arrays.copyOf(last, 2)).containsExactly(0, 0);
    }
  }

  @Test
  void cookiesComeBackWithOursBehind() {
    EdnsOption cookie = new EdnsOption(EdnsOption.COOKIE, ImmutableBytes.ofHex("0102030405060708"));
    Edns edns = new Edns(1232, 0, false, List.of(cookie));
    DnsMessage reply =
        DnsTestClient.udp(
            server.address(), DnsTestClient.query("crane.harbor.svc.cluster.local", "A", edns));
    String data =
        Objects.requireNonNull(reply.edns())
            .option(EdnsOption.COOKIE)
            .orElseThrow()
            .data()
            .toString();
    assertThat(data).startsWith("010203040506070801000000").hasSize(48);
    assertThat(reply.answer()).hasSize(1);
  }
}
