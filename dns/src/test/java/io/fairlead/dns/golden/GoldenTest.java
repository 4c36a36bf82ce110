package io.fairlead.dns.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.testing.FaultyTransport;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers recorded from a running CoreDNS, asked of ours. Where it was decided to differ, only the
/// decided answer passes.
class GoldenTest {
  private static final int NO_REPLY = 700;

  /// So many records are cut over no transport.
  private static final int FITS_EVERYWHERE = 10;

  /// The recorded server's `nsid` sets DO on its own; ours repeats the client's (Q28).
  private static final String COPIES_DO = "options-043";

  private static final Map<String, TestDnsServer> SERVERS = new LinkedHashMap<>();
  private static GoldenUpstream upstream;

  @BeforeAll
  static void start() throws IOException, SetupException {
    upstream = new GoldenUpstream();
    DnsTestCluster cluster = new DnsTestCluster();
    for (String document : text("objects.yaml").split("(?m)^---$")) {
      cluster.create((ObjectNode) Yaml.parse(document));
    }
    cluster.service("default/kubernetes", "10.96.0.1", "https/TCP/443");
    cluster.slice("default/kubernetes", "kubernetes", "IPv4", "https/TCP/6443", "10.0.2.15");
    for (JsonNode query : queries()) {
      String variant = query.path("corefile").asString();
      if (!SERVERS.containsKey(variant)) {
        SERVERS.put(variant, server(variant, cluster));
      }
    }
    SERVERS.forEach(
        (variant, server) -> {
          if (!variant.equals("unsynced")) {
            await()
                .atMost(TestDnsServer.PATIENCE)
                .until(() -> asked(server, "nosuch.svc.cluster.local") == Rcode.NXDOMAIN);
          }
        });
  }

  private static int asked(TestDnsServer server, String name) {
    return DnsTestClient.udp(server.address(), name, "A").rcode();
  }

  private static TestDnsServer server(String variant, DnsTestCluster cluster)
      throws IOException, SetupException {
    InetSocketAddress behind = upstream.address();
    String corefile =
        text("Corefile-" + variant)
            .replace("{$GOLDEN_PORT}", "0")
            .replace("{$GOLDEN_UPSTREAM}", "127.0.0.1:" + behind.getPort())
            .replace("{$GOLDEN_KUBECONFIG}", "kubeconfig")
            .replace("{$GOLDEN_DEAD_KUBECONFIG}", "dead")
            .replace("prometheus :9153", "prometheus 127.0.0.1:0")
            .replace("health {", "health 127.0.0.1:0 {")
            .replace("lameduck 5s", "lameduck 0s")
            .replace("ready\n", "ready 127.0.0.1:0\n");
    return new TestDnsServer(
        corefile,
        () ->
            variant.equals("unsynced")
                ? new Client(FaultyTransport.unreachable())
                : cluster.client(),
        List.of("10.244.0.5"),
        List.of());
  }

  @AfterAll
  static void stop() throws IOException {
    SERVERS.values().forEach(TestDnsServer::close);
    upstream.close();
  }

  private static String text(String file) throws IOException {
    try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<JsonNode> queries() throws IOException {
    List<JsonNode> queries = new ArrayList<>();
    Json.parse(text("queries.json").getBytes(StandardCharsets.UTF_8))
        .path("queries")
        .forEach(queries::add);
    return queries;
  }

  @TestFactory
  Stream<DynamicNode> recordedAnswers() throws IOException {
    return rows(queries());
  }

  /// The same questions over the transport they were not recorded with, where that makes no
  /// difference: nothing was cut and it is no transfer. Remaining times are not compared, for the
  /// data sat in the cache since the first round.
  @TestFactory
  Stream<DynamicNode> sameAnswersOverTheOtherTransport() throws IOException {
    List<JsonNode> other = new ArrayList<>();
    for (JsonNode query : queries()) {
      if (sameOverBoth(query)) {
        ObjectNode asked = (ObjectNode) query.deepCopy();
        asked.put("transport", query.path("transport").asString().equals("udp") ? "tcp" : "udp");
        asked.put("ttl", "aged");
        other.add(asked);
      }
    }
    return rows(other);
  }

  private static boolean sameOverBoth(JsonNode query) {
    JsonNode want = wanted(query);
    String category = query.path("category").asString();
    return !List.of("malformed", "transfer", "trunc").contains(category)
        && !want.has("none")
        && !List.of(want.path("flags").asString().split(" ")).contains("tc")
        && want.path("answer").isArray()
        && want.path("answer").size() <= FITS_EVERYWHERE
        && !Json.textOr(query, "", "type").endsWith("XFR");
  }

  private static Stream<DynamicNode> rows(List<JsonNode> queries) {
    Map<String, List<DynamicTest>> rows = new LinkedHashMap<>();
    for (JsonNode query : queries) {
      rows.computeIfAbsent(query.path("category").asString(), _ -> new ArrayList<>())
          .add(DynamicTest.dynamicTest(title(query), () -> check(query)));
    }
    return rows.entrySet().stream()
        .map(each -> DynamicContainer.dynamicContainer(each.getKey(), each.getValue()));
  }

  private static String title(JsonNode query) {
    String decided =
        query.path("id").asString().equals(COPIES_DO)
            ? "Q28"
            : Json.textOr(query, "", "fairlead", "q");
    return query.path("id").asString()
        + " "
        + query.path("corefile").asString()
        + " "
        + query.path("transport").asString()
        + " "
        + Json.textOr(query, Json.textOr(query, "", "note"), "name")
        + " "
        + Json.textOr(query, "", "type")
        + (decided.isEmpty() ? "" : " (decided otherwise: " + decided + ")");
  }

  private static JsonNode wanted(JsonNode query) {
    JsonNode decided = query.path("fairlead").path("expect");
    return decided.isMissingNode() ? query.path("expect") : decided;
  }

  private static void check(JsonNode query) {
    JsonNode want = wanted(query);
    if (query.path("id").asString().equals(COPIES_DO)) {
      want = want.deepCopy();
      ((ObjectNode) want.path("edns")).put("do", query.path("edns").path("do").asBoolean());
    }
    Optional<DnsMessage> reply =
        ask(SERVERS.get(query.path("corefile").asString()).address(), query, want);
    assertThat(GoldenAnswer.differences(query, want, reply)).isEmpty();
  }

  private static Optional<DnsMessage> ask(InetSocketAddress server, JsonNode query, JsonNode want) {
    byte[] packet = GoldenQuery.packet(query);
    if (query.path("transport").asString().equals("udp")) {
      int patience = want.has("none") ? NO_REPLY : 60_000;
      return DnsTestClient.udp(server, packet, patience).map(DnsTestClient::read);
    }
    String type = Json.textOr(query, "", "type");
    if (want.has("none")) {
      return silent(server, packet)
          ? Optional.empty()
          : DnsTestClient.tcp(server, packet).map(DnsTestClient::read);
    }
    return type.equals("AXFR") || type.equals("IXFR")
        ? Optional.of(transfer(server, packet))
        : DnsTestClient.tcp(server, packet).map(DnsTestClient::read);
  }

  private static boolean silent(InetSocketAddress server, byte[] packet) {
    try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
      socket.setSoTimeout(NO_REPLY);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeShort(packet.length);
      out.write(packet);
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return true;
    }
  }

  /// All messages of a transfer as one.
  private static DnsMessage transfer(InetSocketAddress server, byte[] packet) {
    try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeShort(packet.length);
      out.write(packet);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DnsMessage first = DnsTestClient.read(in.readNBytes(in.readUnsignedShort()));
      List<ResourceRecord> all = new ArrayList<>(first.answer());
      while (all.size() > 1 && all.stream().filter(each -> each.type() == 6).count() == 1) {
        all.addAll(DnsTestClient.read(in.readNBytes(in.readUnsignedShort())).answer());
      }
      return new DnsMessage(
          first.header(),
          first.questions(),
          all,
          first.authority(),
          first.additional(),
          first.edns());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
