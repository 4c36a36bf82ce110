package io.fairlead.kernel.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Packets that a real rule logs, on the loopback of a namespace.
@Tag("system")
class PacketLogListenerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int GROUP = 77;
  private static final String RULES =
      """
      table ip fairlead-log {
        chain output {
          type filter hook output priority 0;
          udp dport 5350-5359 log prefix "test " group 77
        }
      }
      """;

  private final NetworkNamespace namespace =
      NetworkNamespace.create("fllog" + ProcessHandle.current().pid());

  @AfterEach
  void remove() {
    namespace.delete();
  }

  private void must(String input, String... words) {
    CommandRunner.Result result = CommandRunner.inside(namespace, LIMIT).run(input, List.of(words));
    assertThat(result.exit()).as(result.error()).isZero();
  }

  private void send(int port) {
    namespace.call(
        () -> {
          try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(new byte[1], 1, InetAddress.getLoopbackAddress(), port));
          }
          return true;
        });
  }

  @Test
  void aPacketIsReadAfterTheReaderFailedOnce() {
    must("", "ip", "link", "set", "lo", "up");
    must(RULES, "nft", "-f", "-");
    List<Integer> ports = new CopyOnWriteArrayList<>();
    try (PacketLogListener listener =
        namespace.call(
            () ->
                PacketLogListener.start(
                    GROUP,
                    128,
                    packet -> {
                      ports.add(packet.destinationPort());
                      if (packet.destinationPort() == 5350) {
                        throw new IllegalStateException("unexpected");
                      }
                    },
                    () -> {}))) {
      assertThat(listener).isNotNull();
      send(5350);
      await().atMost(LIMIT).until(() -> ports.contains(5350));
      send(5351);
      await().atMost(LIMIT).until(() -> ports.contains(5351));
    }
  }
}
