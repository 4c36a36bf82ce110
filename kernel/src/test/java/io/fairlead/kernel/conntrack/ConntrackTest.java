package io.fairlead.kernel.conntrack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Entries made by the `conntrack` tool in a namespace of the test's own.
@Tag("system")
class ConntrackTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final NetworkNamespace namespace =
      NetworkNamespace.create("flk-ct-" + ProcessHandle.current().pid());
  private final CommandRunner tool = CommandRunner.inside(namespace, LIMIT);
  private Conntrack conntrack;

  @BeforeEach
  void open() {
    conntrack = namespace.call(Conntrack::open);
  }

  @AfterEach
  void remove() {
    conntrack.close();
    namespace.delete();
  }

  private void insert(String protocol, String source, String service, String pod) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "conntrack",
                "-I",
                "-p",
                protocol,
                "-s",
                source,
                "-d",
                service,
                "--sport",
                "4000",
                "--dport",
                "53",
                "-r",
                pod,
                "-q",
                source,
                "--reply-port-src",
                "5353",
                "--reply-port-dst",
                "4000",
                "-t",
                "600"));
    if (protocol.equals("tcp")) {
      command.addAll(List.of("--state", "ESTABLISHED"));
    }
    CommandRunner.Result result = tool.run("", command);
    assertThat(result.exit()).as(result.error()).isZero();
  }

  @Test
  void whatTheToolInsertsIsListed() {
    insert("udp", "10.0.0.1", "10.96.0.10", "10.64.1.11");
    insert("tcp", "10.0.0.1", "10.96.0.10", "10.64.1.11");
    insert("udp", "fd00::1", "fd00:96::10", "fd00:64::11");
    List<ConntrackEntry> udp = conntrack.list(Conntrack.IPV4, ConntrackTuple.UDP, _ -> true);
    assertThat(udp).hasSize(1);
    assertThat(udp.getFirst().original()).hasToString("17 10.0.0.1:4000 -> 10.96.0.10:53");
    assertThat(udp.getFirst().reply()).hasToString("17 10.64.1.11:5353 -> 10.0.0.1:4000");
    assertThat(udp.getFirst().timeoutSeconds()).isBetween(500, 600);
    assertThat(conntrack.list(Conntrack.IPV4, 0, _ -> true)).hasSize(2);
    assertThat(conntrack.list(Conntrack.IPV6, ConntrackTuple.UDP, _ -> true))
        .singleElement()
        .extracting(ConntrackEntry::reply)
        .hasToString("17 fd00:64:0:0:0:0:0:11:5353 -> fd00:0:0:0:0:0:0:1:4000");
  }

  @Test
  void onlyWhatTheFilterPicksIsDeleted() {
    for (int i = 1; i <= 20; i++) {
      insert("udp", "10.0.0." + i, "10.96.0.10", "10.64.1." + i % 2);
    }
    insert("tcp", "10.0.0.1", "10.96.0.10", "10.64.1.1");
    int deleted =
        conntrack.deleteIf(
            Conntrack.IPV4,
            ConntrackTuple.UDP,
            entry -> entry.reply().source().getHostAddress().equals("10.64.1.1"));
    assertThat(deleted).isEqualTo(10);
    assertThat(tool.run("", List.of("conntrack", "-L", "-p", "udp")).output().lines())
        .hasSize(10)
        .noneMatch(line -> line.contains("src=10.64.1.1 "));
    assertThat(tool.run("", List.of("conntrack", "-L", "-p", "tcp")).output().lines()).hasSize(1);
  }

  record Filtered(String name, int family, ConntrackFilter filter, int udpLeft) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Filtered> filters() {
    InetAddress front = InetAddress.ofLiteral("10.96.0.10");
    InetAddress endpoint = InetAddress.ofLiteral("10.64.1.1");
    int udp = ConntrackTuple.UDP;
    return Stream.of(
        new Filtered("an address", Conntrack.IPV4, new ConntrackFilter(front, udp, 53, 0), 2),
        new Filtered("another port", Conntrack.IPV4, new ConntrackFilter(front, udp, 54, 0), 6),
        new Filtered("any address", Conntrack.IPV4, new ConntrackFilter(null, udp, 53, 0), 1),
        new Filtered(
            "one who answers",
            Conntrack.IPV4,
            new ConntrackFilter(front, udp, 53, endpoint, 5353, 0),
            4),
        new Filtered(
            "one who answers from another port",
            Conntrack.IPV4,
            new ConntrackFilter(front, udp, 53, endpoint, 5354, 0),
            6));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void theKernelForgetsByAFilter(Filtered row) {
    for (int i = 1; i <= 4; i++) {
      insert("udp", "10.0.0." + i, "10.96.0.10", "10.64.1." + i % 2);
    }
    insert("udp", "10.0.0.9", "10.96.0.11", "10.64.1.1");
    insert("udp", "fd00::1", "fd00:96::10", "fd00:64::11");
    insert("tcp", "10.0.0.1", "10.96.0.10", "10.64.1.1");
    boolean forgotten = conntrack.deleteAll(row.family(), row.filter());
    int left =
        conntrack.list(Conntrack.IPV4, ConntrackTuple.UDP, _ -> true).size()
            + conntrack.list(Conntrack.IPV6, ConntrackTuple.UDP, _ -> true).size();
    assertThat(left).as("an old kernel forgets nothing").isEqualTo(forgotten ? row.udpLeft() : 6);
    assertThat(conntrack.list(Conntrack.IPV4, ConntrackTuple.TCP, _ -> true)).hasSize(1);
  }

  @Test
  void addressesOfIPv6AreNotLeftToTheKernel() {
    insert("udp", "fd00::1", "fd00:96::10", "fd00:64::11");
    insert("udp", "fd00::2", "fd00:96::20", "fd00:64::12");
    ConntrackFilter filter =
        new ConntrackFilter(InetAddress.ofLiteral("fd00:96::10"), ConntrackTuple.UDP, 53, 0);
    assertThat(conntrack.deleteAll(Conntrack.IPV6, filter)).isFalse();
    assertThat(conntrack.list(Conntrack.IPV6, ConntrackTuple.UDP, _ -> true)).hasSize(2);
    assertThat(conntrack.list(Conntrack.IPV6, filter, _ -> true))
        .singleElement()
        .extracting(entry -> entry.original().source().getHostAddress())
        .isEqualTo("fd00:0:0:0:0:0:0:1");
  }

  @Test
  void aFilterWithoutAProtocolDeletesNothing() {
    assertThatThrownBy(() -> conntrack.deleteAll(Conntrack.IPV4, ConntrackFilter.ALL))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void deletingWhatIsGoneSaysSo() {
    insert("udp", "10.0.0.1", "10.96.0.10", "10.64.1.11");
    ConntrackEntry entry = conntrack.list(Conntrack.IPV4, ConntrackTuple.UDP, _ -> true).getFirst();
    assertThat(conntrack.delete(entry)).isTrue();
    assertThat(conntrack.delete(entry)).isFalse();
  }

  @Test
  void manyAreDeletedAtOnceAndThoseThatWereGoneAreNotCounted() {
    for (int i = 1; i <= 150; i++) {
      insert("udp", "10.0.0." + i, "10.96.0.10", "10.64.1.11");
    }
    List<ConntrackEntry> all = conntrack.list(Conntrack.IPV4, ConntrackTuple.UDP, _ -> true);
    assertThat(all).hasSize(150);
    assertThat(conntrack.delete(all.subList(10, 20))).isEqualTo(10);
    assertThat(conntrack.delete(all)).isEqualTo(140);
    assertThat(conntrack.list(Conntrack.IPV4, ConntrackTuple.UDP, _ -> true)).isEmpty();
  }

  @Test
  void beginningAndEndAreTold() {
    List<Conntrack.Event> events = new CopyOnWriteArrayList<>();
    try (var listener = namespace.call(() -> Conntrack.listen(events::add))) {
      insert("udp", "10.0.0.1", "10.96.0.10", "10.64.1.11");
      await()
          .atMost(LIMIT)
          .until(() -> events.stream().anyMatch(Conntrack.Event.Began.class::isInstance));
      conntrack.deleteIf(Conntrack.IPV4, ConntrackTuple.UDP, _ -> true);
      await()
          .atMost(LIMIT)
          .until(() -> events.stream().anyMatch(Conntrack.Event.Ended.class::isInstance));
      assertThat(listener).isNotNull();
    }
  }
}
