package io.fairlead.kernel.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.conntrack.Conntrack;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackFilter;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.route.RouteLookup;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.work.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Sockets, routes and tracked connections of a namespace with one other machine behind a cable.
@Tag("system")
class SocketDiagTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static NetworkNamespace here;
  private static NetworkNamespace there;

  @BeforeAll
  static void connect() {
    here = NetworkNamespace.create("flk-sd1-" + ProcessHandle.current().pid());
    there = NetworkNamespace.create("flk-sd2-" + ProcessHandle.current().pid());
    CommandRunner.Result made =
        CommandRunner.here(LIMIT)
            .run(
                """
                set -e
                ip -n %1$s link set lo up
                ip -n %2$s link set lo up
                ip -n %1$s link add cable type veth peer name cable netns %2$s
                ip -n %1$s addr add 10.9.0.1/24 dev cable
                ip -n %2$s addr add 10.9.0.2/24 dev cable
                ip -n %1$s link set cable up
                ip -n %2$s link set cable up
                ip -n %1$s route add 10.10.0.0/16 via 10.9.0.2
                # Makes the kernel track connections.
                ip netns exec %1$s nft 'table ip t { chain c { type nat hook output priority -100;
                  ip daddr 10.10.0.80 tcp dport 80 dnat to 10.9.0.2:9376; }; }'
                """
                    .formatted(here.name(), there.name()),
                List.of("sh"));
    assertThat(made.exit()).as(made.error()).isZero();
  }

  @AfterAll
  static void remove() {
    here.delete();
    there.delete();
  }

  private static ServerSocket listen(String address, int port, int backlog) {
    return there.call(() -> new ServerSocket(port, backlog, InetAddress.ofLiteral(address)));
  }

  private static ConnectionProbe probe() {
    return here.call(
        () -> ConnectionProbe.tcp(InetAddress.ofLiteral("10.9.0.1"), 0, Ticker.system()));
  }

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static InetSocketAddress at(String address, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), port);
  }

  @Test
  void listenersShowTheirAddressAndHowManyWait() throws Exception {
    try (ServerSocket _ = listen("127.0.0.1", 9377, 4);
        ServerSocket _ = listen("10.9.0.2", 9378, 7);
        ConnectionProbe first = probe();
        SocketDiag sockets = there.call(SocketDiag::open)) {
      assertThat(first.run(at("10.9.0.2", 9378), new byte[0], SECOND).outcome())
          .isEqualTo(ConnectResult.Outcome.CONNECTED);
      List<ListeningSocket> all = sockets.listeners();
      ListeningSocket loopback = at(all, 9377);
      assertThat(loopback.address().isLoopbackAddress()).isTrue();
      assertThat(loopback.backlog()).isEqualTo(4);
      assertThat(loopback.waiting()).isZero();
      assertThat(loopback.inode()).isPositive();
      assertThat(at(all, 9378).waiting()).isEqualTo(1);
      assertThat(at(all, 9378).backlog()).isEqualTo(7);
    }
  }

  private static ListeningSocket at(List<ListeningSocket> all, int port) {
    return all.stream().filter(each -> each.port() == port).findFirst().orElseThrow();
  }

  @Test
  void aProbeSaysWhatBecameOfIt() throws Exception {
    try (ServerSocket _ = listen("10.9.0.2", 9376, 50);
        ConnectionProbe refused = probe();
        ConnectionProbe silent = probe();
        ConnectionProbe translated = probe();
        Conntrack conntrack = here.call(Conntrack::open)) {
      assertThat(refused.run(at("10.9.0.2", 1), new byte[0], SECOND).outcome())
          .isEqualTo(ConnectResult.Outcome.REFUSED);
      Duration brief = Duration.ofMillis(200);
      assertThat(silent.run(at("10.10.0.81", 80), new byte[0], brief).outcome())
          .isIn(ConnectResult.Outcome.TIMEOUT, ConnectResult.Outcome.UNREACHABLE);
      assertThat(translated.run(at("10.10.0.80", 80), new byte[0], SECOND).outcome())
          .isEqualTo(ConnectResult.Outcome.CONNECTED);
      ConntrackTuple tuple =
          new ConntrackTuple(
              InetAddress.ofLiteral("10.9.0.1"),
              InetAddress.ofLiteral("10.10.0.80"),
              ConntrackTuple.TCP,
              translated.local().getPort(),
              80);
      ConntrackEntry entry = conntrack.find(tuple).orElseThrow();
      assertThat(entry.reply().source().getHostAddress()).isEqualTo("10.9.0.2");
      assertThat(entry.reply().sourcePort()).isEqualTo(9376);
      assertThat(entry.tcpState()).isEqualTo(ConntrackEntry.ESTABLISHED);
      assertThat(entry.openTcp()).isTrue();
      assertThat(entry.answeredAtAll()).isTrue();
      assertThat(entry.destinationTranslated()).isTrue();
      assertThat(conntrack.find(new ConntrackTuple(tuple.source(), tuple.destination(), 6, 1, 80)))
          .isEmpty();
      ConntrackFilter front =
          new ConntrackFilter(InetAddress.ofLiteral("10.10.0.80"), ConntrackTuple.TCP, 80, 0);
      assertThat(conntrack.list(Conntrack.IPV4, front, _ -> true))
          .extracting(ConntrackEntry::id)
          .containsExactly(entry.id());
      assertThat(
              conntrack.list(
                  Conntrack.IPV4,
                  new ConntrackFilter(null, 0, 0, ConntrackFilter.DESTINATION_TRANSLATED),
                  _ -> true))
          .anyMatch(each -> each.id() == entry.id())
          .allMatch(ConntrackEntry::destinationTranslated);
      assertThat(
              conntrack.list(
                  Conntrack.IPV4,
                  new ConntrackFilter(InetAddress.ofLiteral("10.10.0.82"), 6, 80, 0),
                  _ -> true))
          .isEmpty();
    }
  }

  @Test
  void theKernelSaysHowItWouldSend() {
    try (Rtnetlink network = here.call(Rtnetlink::open)) {
      RouteLookup route = network.lookup(InetAddress.ofLiteral("10.10.1.1"));
      assertThat(route.gateway()).isEqualTo(InetAddress.ofLiteral("10.9.0.2"));
      assertThat(route.source()).isEqualTo(InetAddress.ofLiteral("10.9.0.1"));
      assertThat(route.link()).isEqualTo(network.link("cable").orElseThrow().index());
      assertThat(route.local()).isFalse();
      assertThat(network.lookup(InetAddress.ofLiteral("10.9.0.1")).local()).isTrue();
      assertThatThrownBy(() -> network.lookup(InetAddress.ofLiteral("192.0.2.1")))
          .isInstanceOf(SystemCallException.class)
          .hasMessageContaining("ENETUNREACH");
    }
  }

  @Test
  void aTableWithAnOwnerGoesWithItsConnection() {
    Table table = new Table(NftFamily.IP, "transient");
    try (Nftables other = here.call(Nftables::open)) {
      Nftables owner = here.call(Nftables::open);
      owner
          .transaction()
          .addTransientTable(table, "")
          .addChain(table, new Chain("c", new Hook("filter", Hook.FORWARD, -350), ""))
          .commit();
      assertThat(other.tables(NftFamily.IP)).contains(table);
      assertThatThrownBy(() -> other.transaction().deleteTable(table).commit())
          .isInstanceOf(SystemCallException.class);
      owner.close();
      assertThat(other.tables(NftFamily.IP)).doesNotContain(table);
    }
  }
}
