package io.fairlead.proxy.userspace.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.userspace.balance.BalancingPolicy;
import io.fairlead.proxy.userspace.balance.EndpointPool;
import io.fairlead.proxy.userspace.balance.EndpointWeights;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// UDP through a relay, on loopback.
class DatagramRelayTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final IpAddress HERE = IpAddress.parse("127.0.0.1");

  private final EndpointPool pool = new EndpointPool("shop/dns", Ticker.system(), new Random(1));
  private final List<AutoCloseable> open = new ArrayList<>();

  private Portal start(Duration idle, int flows) {
    RelaySettings usual = RelaySettings.forProcessors(2);
    UserspaceRelay relay =
        UserspaceRelay.start(
            "relay", usual.withThreads(1).withUdpIdle(idle).withUdpFlows(flows), Ticker.system());
    open.add(relay);
    return relay.open(Protocol.UDP, HERE, 0, pool);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /// Answers with its name, a blank, and what it was sent.
  private int backend(String name) throws IOException {
    DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    open.add(socket);
    Thread.ofVirtual()
        .start(
            () -> {
              byte[] buffer = new byte[65_535];
              while (!socket.isClosed()) {
                try {
                  DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                  socket.receive(packet);
                  String heard = new String(buffer, 0, packet.getLength(), StandardCharsets.UTF_8);
                  byte[] answer = (name + " " + heard).getBytes(StandardCharsets.UTF_8);
                  socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                } catch (IOException _) {
                  // Closed, or a client that is gone.
                  continue;
                }
              }
            });
    return socket.getLocalPort();
  }

  private void behind(Integer... ports) {
    pool.update(
        new EndpointPool.Specification(
            Stream.of(ports).map(port -> Backend.ready(HERE, port, true)).toList(),
            BalancingPolicy.ROUND_ROBIN,
            EndpointWeights.parse(""),
            0));
  }

  private DatagramSocket client(Portal portal) throws IOException {
    DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    open.add(socket);
    socket.setSoTimeout((int) LIMIT.toMillis());
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), portal.port()));
    return socket;
  }

  private static String ask(DatagramSocket socket, String what) throws IOException {
    byte[] question = what.getBytes(StandardCharsets.UTF_8);
    socket.send(new DatagramPacket(question, question.length));
    DatagramPacket answer = new DatagramPacket(new byte[65_535], 65_535);
    socket.receive(answer);
    return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
  }

  @Test
  void u6AConversationStaysWithItsEndpoint() throws Exception {
    behind(backend("a"), backend("b"));
    Portal portal = start(LIMIT, 100);
    DatagramSocket first = client(portal);
    DatagramSocket second = client(portal);
    String one = ask(first, "1").substring(0, 1);
    String other = ask(second, "1").substring(0, 1);
    assertThat(one).isNotEqualTo(other);
    for (int i = 0; i < 10; i++) {
      assertThat(ask(first, "more")).isEqualTo(one + " more");
      assertThat(ask(second, "more")).isEqualTo(other + " more");
    }
  }

  @Test
  void u6AfterSilenceTheNextDatagramMayGoElsewhere() throws Exception {
    behind(backend("a"), backend("b"));
    Portal portal = start(Duration.ofMillis(50), 100);
    DatagramSocket client = client(portal);
    Set<String> seen = new HashSet<>();
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(120))
        .until(
            () -> {
              seen.add(ask(client, "?").substring(0, 1));
              return seen.size() == 2;
            });
    await().atMost(LIMIT).until(() -> portal.open() == 0);
  }

  @Test
  void largeAndEmptyDatagramsPassWhole() throws Exception {
    behind(backend("a"));
    Portal portal = start(LIMIT, 100);
    DatagramSocket client = client(portal);
    // Java's socket sends empty datagrams only when it is not connected.
    client.disconnect();
    client.send(
        new DatagramPacket(
            new byte[0],
            0,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), portal.port())));
    DatagramPacket answer = new DatagramPacket(new byte[16], 16);
    client.receive(answer);
    assertThat(answer.getLength()).isEqualTo("a ".length());
    client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), portal.port()));
    String large = "x".repeat(60_000);
    assertThat(ask(client, large)).isEqualTo("a " + large);
  }

  @Test
  void anEndpointThatRefusesLosesItsClients() throws Exception {
    int dead;
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      dead = socket.getLocalPort();
    }
    behind(dead, backend("alive"));
    Portal portal = start(LIMIT, 100);
    // Two clients, so that one of them meets the dead endpoint; asking again is up to the client.
    for (int i = 0; i < 2; i++) {
      DatagramSocket client = client(portal);
      client.setSoTimeout(200);
      await()
          .atMost(LIMIT)
          .ignoreException(java.net.SocketTimeoutException.class)
          .until(() -> ask(client, "?").equals("alive ?"));
    }
  }

  @Test
  void theOldestConversationMakesRoom() throws Exception {
    behind(backend("a"));
    Portal portal = start(LIMIT, 3);
    for (int i = 0; i < 10; i++) {
      assertThat(ask(client(portal), "?")).isEqualTo("a ?");
    }
    assertThat(portal.open()).isEqualTo(3);
    assertThat(portal.accepted()).isEqualTo(10);
  }
}
