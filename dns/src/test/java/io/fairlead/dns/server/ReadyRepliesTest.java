package io.fairlead.dns.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.SpecVectorCluster;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.testing.TestUpstream;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.ImmutableBytes;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which replies are repeated without their chain, and that they change when the chain's would.
class ReadyRepliesTest {
  private static final int AGAIN = 5;
  private static final long SECOND = 1_000_000_000L;
  private static final String CRANE = "crane.harbor.svc.cluster.local";
  private static final String ZONE =
      """
      @ 60 IN SOA ns.zone.test. mail.zone.test. %d 3600 600 86400 30
      @ 60 IN NS ns
      ns 60 IN A 10.0.0.1
      www 60 IN A %s
      """;
  private static final Edns COOKIE =
      new Edns(
          1232,
          0,
          false,
          List.of(
              new EdnsOption(
                  EdnsOption.COOKIE, ImmutableBytes.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}))));

  @TempDir Path directory;
  private final AtomicInteger runs = new AtomicInteger();
  private final DnsTestCluster cluster = SpecVectorCluster.cluster();

  /// Counts the queries that come to the chain.
  ///
  /// @param name a plugin of the standard ones, in whose place it stands
  private record Counting(
      String name, AtomicInteger runs, boolean treatsClientsAlike, boolean mayBlock)
      implements PluginFactory, ChainPlugin {
    @Override
    public Plugin create(List<Directive> lines, BlockContext context) {
      return this;
    }

    @Override
    public DnsAnswer handle(Query query, Handler next) {
      runs.incrementAndGet();
      return next.handle(query);
    }
  }

  /// @param alike the name of a question whose reply is repeated; empty for one that is not
  private record Row(String name, String block, String asked, boolean repeated) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    String hosts = "hosts {\n 10.0.0.7 one.test\n 10.0.0.8 two.test\n 10.0.0.9 two.test\n}\n";
    return Stream.of(
        new Row("file", "file ZONE zone.test\n", "www.zone.test", true),
        new Row("file, a name that is not there", "file ZONE zone.test\n", "x.zone.test", true),
        new Row("hosts", hosts, "one.test", true),
        new Row("hosts, a name that is not there", hosts, "x.test", true),
        new Row(
            "template",
            "template IN A {\n answer \"{{ .Name }} 60 IN A 10.1.1.1\"\n}\n",
            "any.test",
            true),
        new Row(
            "a template with the client's address",
            "template IN A {\n answer \"{{ .Name }} 60 IN A {{ .Remote }}\"\n}\n",
            "any.test",
            false),
        new Row(
            "rewrite before kubernetes",
            "rewrite name hook.test " + CRANE + "\nkubernetes cluster.local\n",
            "hook.test",
            true),
        new Row(
            "a template with all it knows",
            "template IN A {\n answer \"{{ .Name }} 60 IN A {{ if $ }}10.1.1.1{{ end }}\"\n}\n",
            "any.test",
            false),
        new Row(
            "a rewrite that looks at EDNS",
            "rewrite edns0 local set 0xffee abcd\n" + hosts,
            "one.test",
            false),
        new Row("a cached answer of an upstream", "cache\nforward . UPSTREAM\n", "up.test", true),
        new Row("an upstream's answer without a cache", "forward . UPSTREAM\n", "up.test", false),
        new Row("one address before loadbalance", "loadbalance\n" + hosts, "one.test", true),
        new Row("two addresses before loadbalance", "loadbalance\n" + hosts, "two.test", false),
        new Row("a log of every query", "log\n" + hosts, "one.test", false),
        new Row("clients that are told apart", "acl {\n allow\n}\n" + hosts, "one.test", false),
        new Row("the client's own address", "whoami\n", "me.test", false));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isRepeated(Row row) throws SetupException, IOException {
    isRepeated(row, true);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isRepeatedWhenChainsRunAtOnce(Row row) throws SetupException, IOException {
    isRepeated(row, false);
  }

  private void isRepeated(Row row, boolean mayBlock) throws SetupException, IOException {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server = server(row.block, upstream, true, mayBlock)) {
      if (row.repeated) {
        List<ResourceRecord> first = ask(server, row.asked);
        awaitReady(server, row.asked);
        int before = runs.get();
        for (int i = 0; i < AGAIN; i++) {
          assertThat(ask(server, row.asked))
              .usingElementComparator(ReadyRepliesTest::withoutTtl)
              .isEqualTo(first);
        }
        // A cached reply is made again each second.
        assertThat(runs.get() - before).isLessThan(AGAIN);
      } else {
        for (int i = 1; i <= AGAIN; i++) {
          int before = runs.get();
          ask(server, row.asked);
          assertThat(runs).hasValueGreaterThan(before);
        }
      }
    }
  }

  /// Clients that ask without a pause while the file changes: once the new address was seen, the
  /// old one never comes again.
  @Test
  void noOldAnswerFollowsANewOne() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server =
            server("file ZONE zone.test {\n reload 1s\n}\n", upstream, true, false)) {
      awaitReady(server, "www.zone.test");
      for (int serial = 2; serial <= 3; serial++) {
        String newer = "10.0.0." + serial;
        Files.writeString(directory.resolve("zone"), ZONE.formatted(serial, newer));
        awaitAnswer(server, "www.zone.test", newer);
        for (int i = 0; i < 500; i++) {
          assertThat(ask(server, "www.zone.test")).singleElement().asString().contains(newer);
        }
      }
    }
  }

  @Test
  void theTimeToLiveOfARepeatedReplyCountsDown() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server = server("cache\nforward . UPSTREAM\n", upstream, true, false)) {
      long before = System.nanoTime();
      int first = ask(server, "up.test").getFirst().ttl();
      long after = System.nanoTime();
      assertThat(first).isGreaterThan(5);
      await()
          .pollInterval(Duration.ofMillis(5))
          .atMost(TestDnsServer.PATIENCE)
          .until(
              () -> {
                long asked = System.nanoTime();
                int ttl = ask(server, "up.test").getFirst().ttl();
                long atMost = first * SECOND - (asked - after);
                long atLeast = first * SECOND - (System.nanoTime() - before);
                assertThat(ttl * SECOND).isGreaterThanOrEqualTo(atLeast);
                assertThat((ttl - 1) * SECOND).isLessThanOrEqualTo(atMost);
                return first - ttl >= 2;
              });
      assertThat(upstream.udpQueries).hasValue(1);
    }
  }

  @Test
  void aPluginThatMayTreatClientsDifferentlySeesEveryQuery() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server = server("hosts {\n 10.0.0.7 one.test\n}\n", upstream, false)) {
      for (int i = 1; i <= AGAIN; i++) {
        ask(server, "one.test");
        assertThat(runs).hasValue(i);
      }
    }
  }

  /// A client that may ask makes no reply ready for one that may not.
  @Test
  void whatOneClientMayKnowIsNotRepeatedToAnother() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server =
            server(
                "acl {\n block net 127.0.0.2/32\n}\nhosts {\n 10.0.0.7 one.test\n}\n",
                upstream,
                true,
                false)) {
      for (int i = 0; i < AGAIN; i++) {
        assertThat(askFrom("127.0.0.1", server)).isEqualTo(Rcode.NOERROR);
        assertThat(askFrom("127.0.0.2", server)).isEqualTo(Rcode.REFUSED);
      }
    }
  }

  private static int askFrom(String client, TestDnsServer server) throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral(client))) {
      byte[] packet = DnsTestClient.query("one.test", "A", null).write(512);
      socket.setSoTimeout((int) TestDnsServer.PATIENCE.toMillis());
      socket.send(new DatagramPacket(packet, packet.length, server.address()));
      DatagramPacket reply = new DatagramPacket(new byte[512], 512);
      socket.receive(reply);
      return reply.getData()[3] & 15;
    }
  }

  @Test
  void aQueryWithACookieGetsAReplyOfItsOwn() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server = server("hosts {\n 10.0.0.7 one.test\n}\n", upstream, true)) {
      for (int i = 1; i <= AGAIN; i++) {
        DnsMessage query = DnsTestClient.query("one.test", "A", COOKIE);
        assertThat(DnsTestClient.udp(server.address(), query).answer()).hasSize(1);
        assertThat(runs).hasValue(i);
      }
    }
  }

  @Test
  void aChangedZoneFileIsServedAtOnce() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server = server("file ZONE zone.test {\n reload 1s\n}\n", upstream, true)) {
      awaitReady(server, "www.zone.test");
      Files.writeString(directory.resolve("zone"), ZONE.formatted(2, "10.0.0.77"));
      awaitAnswer(server, "www.zone.test", "10.0.0.77");
    }
  }

  @Test
  void aChangeInTheClusterIsServedAtOnce() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server =
            server(
                "rewrite name hook.test new.harbor.svc.cluster.local\nkubernetes cluster.local\n",
                upstream,
                true)) {
      awaitReady(server, "hook.test");
      cluster.service("harbor/new", "10.96.33.3", "web/TCP/80");
      awaitAnswer(server, "hook.test", "10.96.33.3");
      awaitReady(server, "hook.test");
      cluster.delete(DnsTestCluster.SERVICES, "harbor/new");
      await().atMost(TestDnsServer.PATIENCE).until(() -> ask(server, "hook.test").isEmpty());
    }
  }

  @Test
  void aReloadedConfigurationAnswersAtOnce() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server = server("hosts {\n 10.0.0.7 one.test\n}\n", upstream, true)) {
      awaitReady(server, "one.test");
      server.corefile(corefile("hosts {\n 10.0.0.70 one.test\n}\n", upstream));
      assertThat(server.server().reload()).isTrue();
      assertThat(ask(server, "one.test")).singleElement().asString().contains("10.0.0.70");
    }
  }

  private TestDnsServer server(String block, TestUpstream upstream, boolean alike)
      throws SetupException, IOException {
    return server(block, upstream, alike, true);
  }

  private TestDnsServer server(String block, TestUpstream upstream, boolean alike, boolean mayBlock)
      throws SetupException, IOException {
    Files.writeString(directory.resolve("zone"), ZONE.formatted(1, "10.0.0.7"));
    TestDnsServer server =
        new TestDnsServer(
            corefile(block, upstream),
            cluster::client,
            List.of(),
            List.of(new Counting("any", runs, alike, mayBlock)));
    if (block.contains("kubernetes")) {
      server.awaitCluster(CRANE);
    }
    runs.set(0);
    return server;
  }

  private String corefile(String block, TestUpstream upstream) {
    String lines =
        block
            .replace("ZONE", directory.resolve("zone").toString())
            .replace("UPSTREAM", upstream.target());
    return ".:0 {\nany\n" + lines + "}\n";
  }

  /// Asks until the chain is not run for it.
  private void awaitReady(TestDnsServer server, String name) {
    await()
        .atMost(TestDnsServer.PATIENCE)
        .until(
            () -> {
              int before = runs.get();
              ask(server, name);
              return runs.get() == before;
            });
  }

  private static void awaitAnswer(TestDnsServer server, String name, String address) {
    await()
        .atMost(TestDnsServer.PATIENCE)
        .untilAsserted(
            () -> assertThat(ask(server, name)).singleElement().asString().contains(address));
  }

  private static List<ResourceRecord> ask(TestDnsServer server, String name) {
    DnsMessage query = DnsTestClient.query(name, "A", null);
    DnsMessage reply = DnsTestClient.udp(server.address(), query);
    assertThat(reply.header().id()).isEqualTo(query.header().id());
    assertThat(reply.questions()).isEqualTo(query.questions());
    return reply.answer();
  }

  private static int withoutTtl(ResourceRecord one, ResourceRecord other) {
    return one.withTtl(0).equals(other.withTtl(0)) ? 0 : 1;
  }
}
