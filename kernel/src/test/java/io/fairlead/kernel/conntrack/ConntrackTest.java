package io.fairlead.kernel.conntrack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Entries made by the `conntrack` tool in a namespace of the test's own.
@Tag("system")
class ConntrackTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final NetworkNamespace namespace =
      NetworkNamespace.create("flk-ct-" + ProcessHandle.current().pid());
  private final Tool tool = Tool.inside(namespace, LIMIT);
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
    Tool.Result result = tool.run("", command);
    assertThat(result.exit()).as(result.error()).isZero();
  }

  @Test
  void whatTheToolInsertsIsListed() {
    insert("udp", "10.0.0.1", "10.96.0.10", "10.64.1.11");
    insert("tcp", "10.0.0.1", "10.96.0.10", "10.64.1.11");
    insert("udp", "fd00::1", "fd00:96::10", "fd00:64::11");
    List<Entry> udp = conntrack.list(Conntrack.IPV4, Tuple.UDP, _ -> true);
    assertThat(udp).hasSize(1);
    assertThat(udp.getFirst().original()).hasToString("17 10.0.0.1:4000 -> 10.96.0.10:53");
    assertThat(udp.getFirst().reply()).hasToString("17 10.64.1.11:5353 -> 10.0.0.1:4000");
    assertThat(udp.getFirst().timeoutSeconds()).isBetween(500, 600);
    assertThat(conntrack.list(Conntrack.IPV4, 0, _ -> true)).hasSize(2);
    assertThat(conntrack.list(Conntrack.IPV6, Tuple.UDP, _ -> true))
        .singleElement()
        .extracting(Entry::reply)
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
            Tuple.UDP,
            entry -> entry.reply().source().getHostAddress().equals("10.64.1.1"));
    assertThat(deleted).isEqualTo(10);
    assertThat(tool.run("", List.of("conntrack", "-L", "-p", "udp")).output().lines())
        .hasSize(10)
        .noneMatch(line -> line.contains("src=10.64.1.1 "));
    assertThat(tool.run("", List.of("conntrack", "-L", "-p", "tcp")).output().lines()).hasSize(1);
  }

  @Test
  void deletingWhatIsGoneSaysSo() {
    insert("udp", "10.0.0.1", "10.96.0.10", "10.64.1.11");
    Entry entry = conntrack.list(Conntrack.IPV4, Tuple.UDP, _ -> true).getFirst();
    assertThat(conntrack.delete(entry)).isTrue();
    assertThat(conntrack.delete(entry)).isFalse();
  }

  @Test
  void beginningAndEndAreTold() {
    List<Conntrack.Event> events = new CopyOnWriteArrayList<>();
    try (var listener = namespace.call(() -> Conntrack.listen(events::add))) {
      insert("udp", "10.0.0.1", "10.96.0.10", "10.64.1.11");
      await()
          .atMost(LIMIT)
          .until(() -> events.stream().anyMatch(Conntrack.Event.Began.class::isInstance));
      conntrack.deleteIf(Conntrack.IPV4, Tuple.UDP, _ -> true);
      await()
          .atMost(LIMIT)
          .until(() -> events.stream().anyMatch(Conntrack.Event.Ended.class::isInstance));
      assertThat(listener).isNotNull();
    }
  }
}
