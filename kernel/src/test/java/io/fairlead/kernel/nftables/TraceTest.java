package io.fairlead.kernel.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Traces of real packets, on the loopback of a namespace.
@Tag("system")
class TraceTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Table TABLE = new Table(NftFamily.IP, "fairlead-trace");
  private static final String RULES =
      """
      table ip fairlead-trace {
        chain picked { counter accept; }
        chain output {
          type filter hook output priority 0;
          udp dport 5353 meta nftrace set 1
          udp dport 5353 meta mark set 0x7
          udp dport 5353 jump picked
        }
      }
      """;

  private final NetworkNamespace namespace =
      NetworkNamespace.create("fltrace" + ProcessHandle.current().pid());

  @AfterEach
  void remove() {
    namespace.delete();
  }

  private void must(String input, String... words) {
    CommandRunner.Result result = CommandRunner.inside(namespace, LIMIT).run(input, List.of(words));
    assertThat(result.exit()).as(result.error()).isZero();
  }

  @Test
  void everyRuleThatAPacketMeetsIsTold() {
    must("", "ip", "link", "set", "lo", "up");
    must(RULES, "nft", "-f", "-");
    List<NftEvent> events = new CopyOnWriteArrayList<>();
    try (NftMonitor monitor = namespace.call(() -> NftMonitor.traces(events::add));
        Nftables nftables = namespace.call(Nftables::open)) {
      assertThat(monitor).isNotNull();
      namespace.call(
          () -> {
            try (DatagramSocket socket = new DatagramSocket()) {
              byte[] text = "hello".getBytes(StandardCharsets.UTF_8);
              socket.send(
                  new DatagramPacket(text, text.length, InetAddress.getLoopbackAddress(), 5353));
            }
            return true;
          });
      await().atMost(LIMIT).until(() -> traced(events).stream().anyMatch(TraceTest::accepts));
      List<NftEvent.Traced> traces = traced(events);
      assertThat(traces)
          .extracting(NftEvent.Traced::packet)
          .containsOnly(traces.getFirst().packet());
      assertThat(traces).extracting(NftEvent.Traced::table).containsOnly(TABLE);
      NftEvent.Traced jump =
          traces.stream()
              .filter(trace -> trace.verdict().equals(NftVerdict.jump("picked")))
              .findFirst()
              .orElseThrow();
      assertThat(jump.chain()).isEqualTo("output");
      assertThat(jump.type()).isEqualTo("rule");
      assertThat(nftables.rules(TABLE).get("output"))
          .extracting(ListedRule::handle)
          .as("the rule's handle is that of the listing")
          .contains(jump.rule());
      NftEvent.Traced end = traces.stream().filter(TraceTest::accepts).findFirst().orElseThrow();
      assertThat(end.chain()).isEqualTo("picked");
      assertThat(end.mark()).isEqualTo(7);
      assertThat(traces)
          .anySatisfy(
              trace -> {
                assertThat(trace.networkHeader().length()).isEqualTo(20);
                // The destination port, after the source port.
                assertThat(trace.transportHeader().slice(2, 2)).isEqualTo(NftData.ofHex("14e9"));
              });
    }
  }

  private static boolean accepts(NftEvent.Traced trace) {
    return trace.type().equals("rule") && trace.verdict().equals(NftVerdict.ACCEPT);
  }

  private static List<NftEvent.Traced> traced(List<NftEvent> events) {
    return events.stream()
        .filter(NftEvent.Traced.class::isInstance)
        .map(NftEvent.Traced.class::cast)
        .toList();
  }
}
