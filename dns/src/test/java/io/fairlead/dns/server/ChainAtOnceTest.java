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
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which chains run on the thread that received the query, and that one which has to wait holds up
/// no other query, is run again from its beginning and counts once.
class ChainAtOnceTest {
  private static final String CRANE = "crane.harbor.svc.cluster.local";
  private static final int PATIENCE = 20_000;
  private static final int ASKED = 20;
  private static final String ZONE =
      """
      @ 60 IN SOA ns.zone.test. mail.zone.test. 1 3600 600 86400 30
      @ 60 IN NS ns
      ns 60 IN A 10.0.0.1
      www 60 IN A 10.0.0.7
      out 60 IN CNAME elsewhere.test.
      """;

  @TempDir Path directory;
  private final Queue<Boolean> waiting = new ConcurrentLinkedQueue<>();
  private final DnsTestCluster cluster = SpecVectorCluster.cluster();

  /// Notes on which kind of thread queries pass, in the place of `any`.
  private record ThreadObserver(Queue<Boolean> virtual) implements PluginFactory, ChainPlugin {
    @Override
    public String name() {
      return "any";
    }

    @Override
    public Plugin create(List<Directive> lines, BlockContext context) {
      return this;
    }

    @Override
    public boolean mayBlock() {
      return false;
    }

    @Override
    public boolean treatsClientsAlike() {
      return true;
    }

    @Override
    public DnsAnswer handle(Query query, Handler next) {
      virtual.add(Thread.currentThread().isVirtual());
      return next.handle(query);
    }
  }

  /// @param threads those of the first query: false the one that received it, true one of its own
  private record Row(String name, String block, String asked, List<Boolean> threads) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    List<Boolean> atOnce = List.of(false);
    List<Boolean> again = List.of(false, true);
    List<Boolean> asksItself = List.of(false, true, true);
    String template = "template IN A {\n answer \"{{ .Name }} 60 IN A 10.1.1.1\"\n}\n";
    String alias = "template IN A one.test {\n answer \"{{ .Name }} 60 IN CNAME two.test.\"\n";
    return Stream.of(
        new Row("file", "file ZONE zone.test\n", "www.zone.test", atOnce),
        new Row("a name that a zone has not", "file ZONE zone.test\n", "x.zone.test", atOnce),
        new Row(
            "an alias out of the zone",
            "hosts {\n 10.0.0.7 elsewhere.test\n fallthrough\n}\nfile ZONE zone.test\n",
            "out.zone.test",
            asksItself),
        new Row("hosts", "hosts {\n 10.0.0.7 one.test\n}\n", "one.test", atOnce),
        new Row("template", template, "one.test", atOnce),
        new Row(
            "a template's alias",
            alias + " fallthrough\n}\nhosts {\n 10.0.0.7 two.test\n}\n",
            "one.test",
            asksItself),
        new Row(
            "rewrite before kubernetes",
            "rewrite name hook.test " + CRANE + "\nkubernetes cluster.local\n",
            "hook.test",
            atOnce),
        new Row(
            "clients that are told apart",
            "acl {\n allow\n}\nhosts {\n 10.0.0.7 one.test\n}\n",
            "one.test",
            atOnce),
        new Row("the client's own address", "whoami\n", "me.test", atOnce),
        new Row("forward", "forward . UPSTREAM\n", "up.test", again),
        new Row("a miss of the cache", "cache\nforward . UPSTREAM\n", "up.test", again),
        new Row("cancel", "cancel\nhosts {\n 10.0.0.7 one.test\n}\n", "one.test", List.of(true)));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void runsOn(Row row) throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server = server(row.block, upstream)) {
      DnsMessage reply = DnsTestClient.udp(server.address(), row.asked, "A");
      assertThat(reply.rcode()).isIn(0, 3);
      assertThat(waiting).containsExactlyElementsOf(row.threads);
      // Over a stream each query has a thread that may wait.
      waiting.clear();
      DnsMessage stream = DnsTestClient.tcp(server.address(), row.asked, "A");
      assertThat(stream.rcode()).isEqualTo(reply.rcode());
      assertThat(waiting).isNotEmpty().doesNotContain(false);
    }
  }

  @Test
  void aHitOfTheCacheIsAnsweredAtOnce() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server = server("cache\nforward . UPSTREAM\n", upstream)) {
      DnsTestClient.udp(server.address(), "up.test", "A");
      waiting.clear();
      // Another packet than the first one, so that no ready reply answers it.
      DnsMessage query = DnsTestClient.query("UP.test", "A", new Edns(1232, 0, false, List.of()));
      assertThat(DnsTestClient.udp(server.address(), query).answer()).hasSize(1);
      assertThat(waiting).containsExactly(false);
    }
  }

  @Test
  void aSilentUpstreamHoldsUpNoOtherAnswer() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server =
            server(
                "multisocket 1\nhosts {\n 10.0.0.7 one.test\n fallthrough\n}\nforward . UPSTREAM\n",
                upstream);
        DatagramSocket client = new DatagramSocket()) {
      upstream.gate = new CountDownLatch(1);
      for (int i = 0; i < ASKED; i++) {
        byte[] packet = DnsTestClient.query("up" + i + ".test", "A", null).write(512);
        client.send(new DatagramPacket(packet, packet.length, server.address()));
      }
      await().atMost(TestDnsServer.PATIENCE).until(() -> upstream.udpQueries.get() >= ASKED);
      byte[] packet = DnsTestClient.query("one.test", "A", null).write(512);
      assertThat(DnsTestClient.udp(server.address(), packet, PATIENCE)).isPresent();
      upstream.gate.countDown();
    }
  }

  @Test
  void whatIsRunAgainCountsOnce() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server =
            server(
                "acl {\n allow\n}\ncache\nprometheus 127.0.0.1:0\nforward . UPSTREAM\n",
                upstream)) {
      for (int i = 0; i < ASKED; i++) {
        DnsTestClient.udp(server.address(), "up" + i + ".test", "A");
      }
      assertThat(waiting).hasSize(2 * ASKED);
      assertThat(upstream.udpQueries).hasValue(ASKED);
      for (String counter :
          List.of(
              "coredns_dns_requests",
              "coredns_dns_responses",
              "coredns_acl_allowed_requests",
              "coredns_cache_requests",
              "coredns_cache_misses")) {
        // A reply is counted once it is sent.
        await()
            .atMost(TestDnsServer.PATIENCE)
            .untilAsserted(() -> assertThat(count(server, counter)).as(counter).isEqualTo(ASKED));
      }
    }
  }

  @Test
  void everyRepeatedReplyIsCounted() throws Exception {
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server =
            server(
                "cache\ntemplate IN A {\n answer \"{{ .Name }} 60 IN A 10.1.1.1\"\n}\n",
                upstream)) {
      for (int i = 0; i < ASKED; i++) {
        DnsTestClient.udp(server.address(), "one.test", "A");
      }
      // Most did not come to the chain.
      assertThat(waiting).hasSizeLessThan(ASKED / 2);
      assertThat(count(server, "coredns_dns_requests")).isEqualTo(ASKED);
      assertThat(count(server, "coredns_dns_responses")).isEqualTo(ASKED);
      assertThat(count(server, "coredns_cache_requests")).isEqualTo(ASKED);
      assertThat(count(server, "coredns_cache_hits") + count(server, "coredns_cache_misses"))
          .isEqualTo(ASKED);
    }
  }

  /// The sum over all labels.
  private static double count(TestDnsServer server, String name) {
    return server.server().metrics().registry().scrape().stream()
        .filter(each -> each.getMetadata().getName().equals(name))
        .flatMap(each -> each.getDataPoints().stream())
        .mapToDouble(each -> ((CounterSnapshot.CounterDataPointSnapshot) each).getValue())
        .sum();
  }

  private TestDnsServer server(String block, TestUpstream upstream)
      throws SetupException, IOException {
    String lines =
        block
            .replace("ZONE", Files.writeString(directory.resolve("zone"), ZONE).toString())
            .replace("UPSTREAM", upstream.target());
    TestDnsServer server =
        new TestDnsServer(
            ".:0 {\nany\n" + lines + "}\n",
            cluster::client,
            List.of(),
            List.of(new ThreadObserver(waiting)));
    if (block.contains("kubernetes")) {
      server.awaitCluster(CRANE);
    }
    waiting.clear();
    return server;
  }
}
