package io.fairlead.dns.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.dns.kubernetes.DnsVectors.Setup;
import io.fairlead.dns.kubernetes.DnsVectors.TestVector;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.SpecVectorCluster;
import io.fairlead.dns.testing.StubUpstream;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every vector over UDP, TCP and IPv6, on the fast path and through the plugin chain.
class DnsVectorsTest {
  private static final String ZONE = "cluster.local.";
  private static final Map<Setup, TestDnsServer> READY = new EnumMap<>(Setup.class);
  private static final Map<Setup, TestDnsServer> CHAIN = new EnumMap<>(Setup.class);

  @BeforeAll
  static void start() throws SetupException {
    DnsTestCluster cluster = SpecVectorCluster.cluster();
    for (Setup setup : Setup.values()) {
      READY.put(setup, server(cluster, setup, ""));
      CHAIN.put(setup, server(cluster, setup, "slowly\n"));
    }
  }

  private static TestDnsServer server(DnsTestCluster cluster, Setup setup, String more)
      throws SetupException {
    String corefile =
        ".:0 {\n"
            + more
            + "kubernetes cluster.local in-addr.arpa ip6.arpa {\nttl 30\n"
            + setup.lines
            + "\n}\nforward . upstream\n}\n";
    return new TestDnsServer(
            corefile,
            cluster::client,
            List.of("10.244.0.5"),
            List.of(new StubUpstream(), new FastPathDisabler()))
        .awaitDenial();
  }

  @AfterAll
  static void stop() {
    READY.values().forEach(TestDnsServer::close);
    CHAIN.values().forEach(TestDnsServer::close);
  }

  @TestFactory
  Stream<DynamicTest> overUdp() {
    return rows(vector -> DnsTestClient.udp(address(READY, vector), query(vector)));
  }

  @TestFactory
  Stream<DynamicTest> overTcp() {
    return rows(vector -> DnsTestClient.tcp(address(READY, vector), query(vector)));
  }

  @TestFactory
  Stream<DynamicTest> overIpv6() throws IOException {
    Path addresses = Path.of("/proc/net/if_inet6");
    assumeTrue(
        Files.exists(addresses) && Files.readString(addresses).contains("0".repeat(31) + "1 "),
        "this machine has no IPv6");
    return rows(vector -> DnsTestClient.udp(ipv6(address(READY, vector)), query(vector)));
  }

  private static InetSocketAddress ipv6(InetSocketAddress address) {
    return new InetSocketAddress(InetAddress.ofLiteral("::1"), address.getPort());
  }

  @TestFactory
  Stream<DynamicTest> throughTheChain() {
    return rows(vector -> DnsTestClient.udp(address(CHAIN, vector), query(vector)));
  }

  private static InetSocketAddress address(Map<Setup, TestDnsServer> servers, TestVector vector) {
    return Objects.requireNonNull(servers.get(vector.setup())).address();
  }

  private interface Asking {
    DnsMessage ask(TestVector vector);
  }

  private static Stream<DynamicTest> rows(Asking asking) {
    return DnsVectors.all().stream()
        .map(
            vector ->
                DynamicTest.dynamicTest(
                    vector.toString(), () -> check(vector, asking.ask(vector))));
  }

  private static DnsMessage query(TestVector vector) {
    String[] words = vector.question().split(" ");
    return DnsTestClient.query(expand(words[0]), words[1], null);
  }

  private static String expand(String text) {
    return text.endsWith("Z") ? text.substring(0, text.length() - 1) + ZONE : text;
  }

  private static void check(TestVector vector, DnsMessage reply) {
    String owner = Name.of(expand(vector.question().split(" ")[0])).toString();
    assertThat(Rcode.name(reply.rcode())).isEqualTo(vector.rcode());
    assertThat(reply.questions().getFirst().name().toString()).isEqualTo(owner);
    boolean refused = vector.rcode().equals("REFUSED");
    boolean foreign = vector.id().equals("93") || vector.question().startsWith("15.96.10");
    assertThat(reply.header().is(Header.AA)).isEqualTo(!refused && !foreign);
    String[] additional = vector.expected().split(">", -1);
    String[] authority = additional[0].split("/ ", -1);
    compare(reply.answer(), authority[0], owner);
    compare(reply.authority(), authority.length > 1 ? authority[1] : "", owner);
    compare(reply.additional(), additional.length > 1 ? additional[1] : "", owner);
    if (!reply.answer().isEmpty()
        && reply.answer().stream().anyMatch(each -> each.type() == RecordType.CNAME)) {
      assertThat(reply.answer().getFirst().type()).isEqualTo(RecordType.CNAME);
    }
  }

  private static void compare(List<ResourceRecord> got, String expected, String owner) {
    List<String> lines = new ArrayList<>();
    for (String item : expected.split(",")) {
      if (!item.isBlank()) {
        lines.add(line(item.strip(), owner));
      }
    }
    assertThat(got.stream().map(DnsVectorsTest::text).toList())
        .containsExactlyInAnyOrderElementsOf(lines);
  }

  /// A record in the notation of the table as a master file line.
  private static String line(String item, String owner) {
    if (item.startsWith("SOA(")) {
      String zone = expand(item.substring(4, item.length() - 1));
      return zone + " SOA";
    }
    int colon = item.indexOf(": ");
    String name = colon > 0 ? expand(item.substring(0, colon)) : owner;
    String rest = colon > 0 ? item.substring(colon + 2) : item;
    String ttl = "30";
    if (rest.startsWith("@")) {
      ttl = rest.substring(1, rest.indexOf(' '));
      rest = rest.substring(rest.indexOf(' ') + 1);
    }
    int space = rest.indexOf(' ');
    String type = rest.substring(0, space);
    return name + " " + ttl + " IN " + type + " " + expand(rest.substring(space + 1));
  }

  private static String text(ResourceRecord each) {
    if (each.type() != RecordType.SOA) {
      return each.toString();
    }
    String zone = each.owner().toString();
    if (zone.equalsIgnoreCase(ZONE) || zone.endsWith("arpa.")) {
      assertThat(each.toString())
          .matches(
              "\\Q"
                  + zone
                  + " 30 IN SOA ns.dns."
                  + zone
                  + " hostmaster."
                  + zone
                  + "\\E"
                  + " \\d+ 7200 1800 86400 30");
    }
    return zone + " SOA";
  }
}
