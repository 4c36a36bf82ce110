package io.fairlead.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A whole proxy over real rules while things go wrong around it, with connections that are kept.
@Tag("system")
class LiveProxyFaultsTest {
  /// How long the API is away, beyond a few attempts to reach it.
  private static final int AWAY_SECONDS = Integer.getInteger("fairlead.away.seconds", 0);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Fixture FIXTURE = new Fixture(IpAddress.Family.IPV4, Protocol.TCP);
  private static final IpAddress OTHER = IpAddress.parse("10.112.0.78");

  private Lab lab;
  private LongLivedConnections connections;

  @BeforeEach
  void build() {
    lab = Lab.create();
    connections = new LongLivedConnections(lab);
  }

  @AfterEach
  void remove() throws IOException {
    connections.close();
    lab.close();
  }

  private LiveProxy proxy(String mode) {
    LiveProxy proxy = new LiveProxy(lab, mode);
    proxy.create(LiveProxy.service("kept", LongLivedConnections.SERVICE, "TCP"));
    proxy.create(
        LiveProxy.slice("kept", "TCP", LongLivedConnections.TARGET_PORT, FIXTURE.endpoint("L1")));
    proxy.create(LiveProxy.service("other", OTHER, "TCP"));
    proxy.create(LiveProxy.slice("other", "TCP", Fixture.TARGET_PORT, FIXTURE.endpoint("L1")));
    return proxy;
  }

  private String answers(Protocol protocol) {
    Attempt attempt =
        lab.call(
            Origin.POD, FIXTURE.source(Origin.POD), OTHER, 80, protocol, Duration.ofMillis(500));
    return attempt instanceof Attempt.Reached reached ? reached.pod() : attempt.toString();
  }

  private void awaitAnswer(String pod) {
    await().atMost(LIMIT).until(() -> answers(Protocol.TCP).equals(pod));
  }

  private void must(String... words) {
    CommandRunner.Result result = CommandRunner.inside(lab.node(), LIMIT).run("", List.of(words));
    assertThat(result.exit()).as(String.join(" ", words) + ": " + result.error()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nftables", "iptables"})
  void flushedRulesComeBackAndConnectionsGoOn(String mode) throws InterruptedException {
    try (LiveProxy proxy = proxy(mode)) {
      proxy.start();
      awaitAnswer("L1");
      connections.open();
      List<List<String>> flushes =
          mode.equals("nftables")
              ? List.of(
                  List.of("nft", "flush", "chain", "ip", "fairlead-proxy", "services"),
                  List.of("nft", "flush", "map", "ip", "fairlead-proxy", "fronts"),
                  List.of("nft", "flush", "ruleset"))
              : List.of(
                  List.of("iptables", "-t", "nat", "-F"),
                  List.of("iptables", "-t", "nat", "-F", "KUBE-SERVICES"),
                  List.of("nft", "flush", "ruleset"));
      for (List<String> flush : flushes) {
        int before = proxy.writes();
        must(flush.toArray(String[]::new));
        await().atMost(LIMIT).until(() -> proxy.writes() > before);
        awaitAnswer("L1");
        connections.check();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nftables", "iptables"})
  void withTheApiAwayRulesStayAndLaterCatchUp(String mode) throws InterruptedException {
    try (LiveProxy proxy = proxy(mode)) {
      proxy.start();
      awaitAnswer("L1");
      connections.open();
      connections.beginMaking();
      int lists = proxy.way.lists();
      proxy.way.cut();
      proxy.update(LiveProxy.slice("other", "TCP", Fixture.TARGET_PORT, FIXTURE.endpoint("L2")));
      int writes = proxy.writes();
      await().atMost(LIMIT).until(() -> proxy.way.refused() > 3);
      for (int second = 0; second < AWAY_SECONDS; second++) {
        TimeUnit.SECONDS.sleep(1);
        assertThat(answers(Protocol.TCP)).as("after %d seconds", second).isEqualTo("L1");
      }
      assertThat(answers(Protocol.TCP)).isEqualTo("L1");
      assertThat(proxy.writes()).as("nothing is written or deleted meanwhile").isEqualTo(writes);
      connections.check();
      proxy.way.mend();
      awaitAnswer("L2");
      connections.check();
      assertThat(connections.made()).isPositive();
      assertThat(proxy.way.lists() - lists).as("watches go on where they were").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nftables", "iptables"})
  void aRestartWritesNothingAndDisturbsNobody(String mode) throws InterruptedException {
    try (LiveProxy proxy = proxy(mode)) {
      proxy.start();
      awaitAnswer("L1");
      connections.open();
      connections.beginMaking();
      for (int i = 0; i < 5; i++) {
        proxy.stop();
        int writes = proxy.writes();
        proxy.start();
        await().atMost(LIMIT).until(proxy::isReady);
        assertThat(proxy.writes()).isEqualTo(writes);
        connections.check();
      }
      assertThat(connections.made()).isPositive();
    }
  }

  /// One socket that never changes its port: only a cleaned table of conversations moves it.
  @ParameterizedTest
  @ValueSource(strings = {"nftables", "iptables"})
  void aUdpClientFollowsItsServiceAtOnce(String mode) throws Exception {
    try (LiveProxy proxy = new LiveProxy(lab, mode);
        DatagramSocket socket = lab.namespace(Origin.POD).call(DatagramSocket::new)) {
      socket.setSoTimeout(200);
      socket.connect(new InetSocketAddress(InetAddress.getByAddress(OTHER.toBytes()), 80));
      proxy.create(LiveProxy.service("other", OTHER, "UDP"));
      proxy.create(LiveProxy.slice("other", "UDP", Fixture.TARGET_PORT, FIXTURE.endpoint("L1")));
      proxy.start();
      await().atMost(LIMIT).until(() -> ask(socket).equals("L1"));
      proxy.update(LiveProxy.slice("other", "UDP", Fixture.TARGET_PORT, FIXTURE.endpoint("L2")));
      await().atMost(LIMIT).until(() -> ask(socket).equals("L2"));
      for (int i = 0; i < 50; i++) {
        assertThat(ask(socket)).as("once moved, never back").isEqualTo("L2");
      }
      proxy.delete(LiveProxy.SERVICES, "other");
      await().atMost(LIMIT).until(() -> ask(socket).isEmpty());
    }
  }

  /// Who answers one datagram; empty when no server does.
  private static String ask(DatagramSocket socket) throws IOException {
    try {
      socket.send(new DatagramPacket(new byte[] {'?'}, 1));
      DatagramPacket answer = new DatagramPacket(new byte[256], 256);
      socket.receive(answer);
      return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8)
          .split(" ")[0];
    } catch (SocketTimeoutException _) {
      return "";
    } catch (IOException _) {
      // Refused: that counts as no server, too.
      return "";
    }
  }
}
