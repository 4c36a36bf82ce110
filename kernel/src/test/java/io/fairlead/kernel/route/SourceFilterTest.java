package io.fairlead.kernel.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A machine with an address of its own on `lo`, and a neighbour that knows the way there under two
/// addresses.
@Tag("system")
class SourceFilterTest {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int GLANCE_MILLIS = 1_500;

  private static NetworkNamespace machine;
  private static NetworkNamespace neighbour;

  @BeforeAll
  static void cable() {
    String name = "flk-filter-" + ProcessHandle.current().pid();
    machine = NetworkNamespace.create(name + "m");
    neighbour = NetworkNamespace.create(name + "n");
    String script =
        """
        set -e
        ip -n %1$s link set lo up
        ip link add eth0 netns %1$s type veth peer name eth0 netns %2$s
        ip -n %1$s addr add 10.9.0.1/32 dev lo
        ip -n %1$s addr add fd09::1/128 dev lo
        ip -n %1$s addr add 192.0.2.10/24 dev eth0
        ip -n %1$s addr add fd00::10/64 dev eth0 nodad
        ip -n %2$s addr add 192.0.2.1/24 dev eth0
        ip -n %2$s addr add 192.0.2.129/24 dev eth0
        ip -n %2$s addr add fd00::1/64 dev eth0 nodad
        ip -n %2$s addr add fd00::8000:0:0:1/64 dev eth0 nodad
        ip -n %1$s link set eth0 up
        ip -n %2$s link set eth0 up
        ip -n %2$s route add 10.9.0.1 via 192.0.2.10
        ip -n %2$s route add fd09::1 via fd00::10
        """
            .formatted(machine.name(), neighbour.name());
    CommandRunner.Result made =
        CommandRunner.here(Duration.ofMinutes(1)).run(script, List.of("sh"));
    assertThat(made.exit()).as(made.error()).isZero();
  }

  @AfterAll
  static void remove() {
    machine.delete();
    neighbour.delete();
  }

  /// @param heard prefixes that let the friend through and not the stranger
  private record Case(String name, String address, String friend, String stranger, String heard) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() {
    return List.of(
        new Case("IPv4, upper half", "10.9.0.1", "192.0.2.129", "192.0.2.1", "192.0.2.128/25"),
        new Case("IPv4, one address", "10.9.0.1", "192.0.2.1", "192.0.2.129", "192.0.2.1/32"),
        new Case(
            "the second of two, beside the other family",
            "10.9.0.1",
            "192.0.2.1",
            "192.0.2.129",
            "fd00::/64 203.0.113.0/24 192.0.2.0/25"),
        new Case("IPv6, third word", "fd09::1", "fd00::1", "fd00::8000:0:0:1", "fd00::/65"),
        new Case("IPv6, one address", "fd09::1", "fd00::8000:0:0:1", "fd00::1", "fd00::8000:0:0:1"),
        new Case(
            "IPv6, the second of two",
            "fd09::1",
            "fd00::1",
            "fd00::8000:0:0:1",
            "fd00:1::/32 fd00::/96"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void onlyFriendsAndTheMachineItselfGetAnAnswer(Case row) throws IOException {
    InetAddress address = InetAddress.ofLiteral(row.address());
    try (ServerSocketChannel listener =
        machine.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress(address, 0)))) {
      InetSocketAddress place = (InetSocketAddress) listener.getLocalAddress();
      connect(neighbour, row.stranger(), place, PATIENCE_MILLIS);
      SourceFilter.attach(
          listener, List.of(row.heard().split(" ")).stream().map(IpPrefix::parse).toList());
      assertThatThrownBy(() -> connect(neighbour, row.stranger(), place, GLANCE_MILLIS))
          .hasCauseInstanceOf(SocketTimeoutException.class);
      connect(neighbour, row.friend(), place, PATIENCE_MILLIS);
      connect(machine, row.address(), place, PATIENCE_MILLIS);
    }
  }

  private static void connect(
      NetworkNamespace from, String source, InetSocketAddress place, int patience) {
    from.call(
        () -> {
          try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral(source), 0));
            socket.connect(place, patience);
            return socket.isConnected();
          }
        });
  }

  @Test
  void withoutAnySourceTheMachineItselfIsStillHeard() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open();
        Socket socket = new Socket()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SourceFilter.attach(listener, List.of());
      socket.connect(listener.getLocalAddress(), PATIENCE_MILLIS);
      assertThat(socket.isConnected()).isTrue();
    }
  }
}
