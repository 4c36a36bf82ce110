package io.fairlead.app.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.net.Cidr;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The range of this machine alone in a kernel: a machine with a card and a default route.
@Tag("system")
class LocalBalancerRouteTest {
  private static final Cidr RANGE = Cidr.parse("10.112.0.0/24");

  @TempDir Path directory;
  private final NetworkNamespace machine =
      NetworkNamespace.create("fllr" + ProcessHandle.current().pid());

  @BeforeEach
  void build() {
    run(
        "sh",
        "-c",
        """
        ip link set lo up
        ip link add eth0 type veth peer name gateway
        ip link set eth0 up
        ip link set gateway up
        ip addr add 192.0.2.2/24 dev eth0
        ip route add default via 192.0.2.1
        """);
  }

  @AfterEach
  void remove() {
    machine.delete();
  }

  private String run(String... command) {
    CommandRunner.Result result =
        CommandRunner.inside(machine, Duration.ofMinutes(1)).run("", List.of(command));
    assertThat(result.succeeded()).as(result.error()).isTrue();
    return result.output();
  }

  @Test
  void lv72AnAddressNoServiceHasIsRefusedAtOnceAndNoPacketLeaves() throws IOException {
    LocalBalancerRange range = new LocalBalancerRange(directory);
    machine.run(() -> range.add(RANGE));
    InetSocketAddress to = new InetSocketAddress(InetAddress.ofLiteral("10.112.0.77"), 80);
    try (Socket socket = machine.call(LocalBalancerRouteTest::socket)) {
      assertThatThrownBy(() -> socket.connect(to, 30_000)).isInstanceOf(ConnectException.class);
    }
    assertThat(run("ip", "route", "get", "10.112.0.77")).contains("dev lo");
    assertThat(run("ip", "neigh", "show", "dev", "eth0")).doesNotContain("10.112.0.77");
    machine.run(range::remove);
    assertThat(run("ip", "route", "show", "table", "all")).doesNotContain("10.112.0.0/24");
  }

  private static Socket socket() {
    try {
      Socket socket = new Socket();
      socket.bind(null);
      return socket;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
