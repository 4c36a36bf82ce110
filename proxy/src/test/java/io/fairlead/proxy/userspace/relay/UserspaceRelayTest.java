package io.fairlead.proxy.userspace.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.userspace.balance.BalancingPolicy;
import io.fairlead.proxy.userspace.balance.EndpointPool;
import io.fairlead.proxy.userspace.balance.EndpointWeights;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// TCP through a relay, on loopback.
class UserspaceRelayTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final IpAddress HERE = IpAddress.parse("127.0.0.1");
  private static final int MEGABYTE = 1 << 20;

  private UserspaceRelay relay;
  private final EndpointPool pool = new EndpointPool("shop/cart", Ticker.system(), new Random(1));
  private final List<AutoCloseable> open = new ArrayList<>();
  private Portal portal;

  @BeforeEach
  void start() {
    relay = start(RelaySettings.forProcessors(4));
    portal = relay.open(Protocol.TCP, HERE, 0, pool);
  }

  private UserspaceRelay start(RelaySettings settings) {
    UserspaceRelay started = UserspaceRelay.start("relay", settings, Ticker.system());
    open.add(started);
    return started;
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private EchoBackend backend(String name) throws IOException {
    EchoBackend backend = new EchoBackend(name);
    open.add(backend);
    return backend;
  }

  private void behind(Integer... ports) {
    pool.update(
        new EndpointPool.Specification(
            Stream.of(ports).map(port -> Backend.ready(HERE, port, true)).toList(),
            BalancingPolicy.ROUND_ROBIN,
            EndpointWeights.parse(""),
            0));
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket();
    open.add(socket);
    socket.setSoTimeout((int) LIMIT.toMillis());
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return socket;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /// What a backend says first: its name and a line's end.
  private static String greeting(Socket socket) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = socket.getInputStream().read(); c > '\n'; c = socket.getInputStream().read()) {
      text.append((char) c);
    }
    return text.toString();
  }

  @Test
  void theRecordTellsWhichEndpointsWereTried() throws IOException {
    int closed = freePort();
    int open = backend("a").port();
    behind(closed, open);
    List<RelayedChoice> choices = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Socket client = connect(portal.port());
      assertThat(greeting(client)).isEqualTo("a");
      choices.add(relay.choice(HERE, client.getLocalPort()).orElseThrow());
    }
    // The first connection met the closed port, which is avoided from then on.
    assertThat(choices)
        .allSatisfy(choice -> assertThat(choice.accepted().orElseThrow().port()).isEqualTo(open))
        .anySatisfy(
            choice ->
                assertThat(choice.attempts())
                    .containsExactly(
                        new RelayedChoice.Attempt(HERE, closed, RelayedChoice.Outcome.REFUSED),
                        new RelayedChoice.Attempt(HERE, open, RelayedChoice.Outcome.ACCEPTED)));
    assertThat(relay.choice(HERE, 1)).isEmpty();
  }

  @Test
  void theRecordOfAConnectionThatNobodyTookHasNoEndpoint() throws IOException {
    behind(freePort());
    Socket client = connect(portal.port());
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(relay.choice(HERE, client.getLocalPort()))
                    .hasValueSatisfying(choice -> assertThat(choice.accepted()).isEmpty()));
  }

  @Test
  void onlyTheNewestChoicesAreKept() {
    RelayedChoices kept = new RelayedChoices();
    for (int i = 0; i <= RelayedChoices.KEPT; i++) {
      kept.add(new RelayedChoice(HERE, 1000 + i, List.of()));
    }
    assertThat(kept.find(HERE, 1000)).isEmpty();
    assertThat(kept.find(HERE, 1001)).isPresent();
    assertThat(kept.find(HERE, 1000 + RelayedChoices.KEPT)).isPresent();
    assertThat(kept.find(IpAddress.parse("127.0.0.2"), 1001)).isEmpty();
  }

  @Test
  void aLoopThatFailsOnceServesOn() throws Exception {
    behind(backend("a").port());
    UserspaceRelay other = start(RelaySettings.forProcessors(2).withThreads(1));
    Portal own = other.open(Protocol.TCP, HERE, 0, pool);
    assertThat(LoopFaults.failOnce("userspace-relay")).isPositive();
    for (int i = 0; i < 5; i++) {
      assertThat(greeting(connect(own.port()))).isEqualTo("a");
    }
    long restarts =
        LoopRegistry.statuses().stream()
            .filter(each -> each.kind().equals("userspace-relay"))
            .mapToLong(LoopStatus::restarts)
            .sum();
    assertThat(restarts).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void manyMegabytesGoThereAndBackUnharmed(int threads) throws Exception {
    behind(backend("a").port());
    UserspaceRelay other =
        start(RelaySettings.forProcessors(2).withThreads(threads).withBuffers(2));
    Portal own = other.open(Protocol.TCP, HERE, 0, pool);
    byte[] data = new byte[16 * MEGABYTE];
    new Random(5).nextBytes(data);
    List<Socket> sockets = List.of(connect(own.port()), connect(own.port()), connect(own.port()));
    for (Socket socket : sockets) {
      assertThat(greeting(socket)).isEqualTo("a");
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  socket.getOutputStream().write(data);
                  socket.shutdownOutput();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
    }
    for (Socket socket : sockets) {
      assertThat(Arrays.equals(socket.getInputStream().readAllBytes(), data)).isTrue();
    }
    await().atMost(LIMIT).until(() -> other.connections() == 0);
    assertThat(own.bytes()).isEqualTo(3 * (2L * data.length + 2));
  }

  @Test
  void aSideMayEndWhileTheOtherGoesOn() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      behind(server.getLocalPort());
      Socket client = connect(portal.port());
      client.getOutputStream().write("question".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      client.shutdownOutput();
      try (Socket served = server.accept()) {
        // The end of the question is seen, and only then is it answered.
        assertThat(served.getInputStream().readAllBytes()).hasSize(8);
        served.getOutputStream().write(new byte[MEGABYTE]);
      }
      assertThat(client.getInputStream().readAllBytes()).hasSize(MEGABYTE);
    }
    await().atMost(LIMIT).until(() -> relay.connections() == 0);
  }

  @Test
  void aResetIsPassedOn() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      behind(server.getLocalPort());
      Socket client = connect(portal.port());
      try (Socket served = server.accept()) {
        served.setSoLinger(true, 0);
      }
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void u2AnEndpointThatRefusesIsPassedOver() throws Exception {
    behind(freePort(), backend("alive").port());
    for (int i = 0; i < 6; i++) {
      assertThat(greeting(connect(portal.port()))).isEqualTo("alive");
    }
  }

  @Test
  void u3WhenAllRefuseTheClientIsSentAway() throws Exception {
    behind(freePort());
    assertThat(connect(portal.port()).getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void u5WithoutEndpointsTheClientIsAcceptedAndClosed() throws Exception {
    assertThat(connect(portal.port()).getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void u2AnEndpointThatDoesNotAnswerCostsAQuarterOfASecondAndNobodyElse() throws Exception {
    // A queue of one that is full: further connections are neither accepted nor refused.
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 2; i++) {
        Socket filler = new Socket();
        open.add(filler);
        filler.connect(full.getLocalSocketAddress());
      }
      behind(full.getLocalPort(), backend("alive").port());
      for (int i = 0; i < 4; i++) {
        assertThat(greeting(connect(portal.port()))).isEqualTo("alive");
      }
    }
  }

  @Test
  void aReaderThatSleepsHoldsUpNobodyAndLittleMemory() throws Exception {
    behind(backend("a").port());
    UserspaceRelay small = start(RelaySettings.forProcessors(2).withBuffers(4));
    Portal own = small.open(Protocol.TCP, HERE, 0, pool);
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      // Sends, and never reads what comes back: more of them than there are buffers.
      Socket sleeper = connect(own.port());
      writers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (true) {
                        sleeper.getOutputStream().write(new byte[MEGABYTE]);
                      }
                    } catch (IOException _) {
                      // Closed at the end of the test.
                      return;
                    }
                  }));
    }
    for (int i = 0; i < 20; i++) {
      Socket lively = connect(own.port());
      assertThat(greeting(lively)).isEqualTo("a");
      lively.getOutputStream().write(new byte[MEGABYTE / 8]);
      lively.shutdownOutput();
      assertThat(lively.getInputStream().readAllBytes()).hasSize(MEGABYTE / 8);
    }
    assertThat(writers).allSatisfy(writer -> assertThat(writer.isAlive()).isTrue());
  }

  @Test
  void u10AClosedPortalLeavesItsConnections() throws Exception {
    behind(backend("a").port());
    Socket client = connect(portal.port());
    assertThat(greeting(client)).isEqualTo("a");
    portal.close();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThatThrownBy(() -> connect(portal.port())).isInstanceOf(IOException.class));
    client.getOutputStream().write('x');
    assertThat(client.getInputStream().read()).isEqualTo('x');
    relay.drain();
    client.getOutputStream().write('y');
    assertThat(client.getInputStream().read()).isEqualTo('y');
    client.close();
    await().atMost(LIMIT).until(() -> !relay.isAlive());
  }

  @Test
  void twoThousandConnectionsAtOnce() throws Exception {
    behind(backend("a").port(), backend("b").port());
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      clients.add(connect(portal.port()));
    }
    int[] counts = new int[2];
    for (Socket client : clients) {
      counts[greeting(client).charAt(0) - 'a']++;
    }
    // In turn, but for those whose endpoint took longer than its time on a busy machine.
    assertThat(counts[0] + counts[1]).isEqualTo(2000);
    assertThat(counts[0]).isBetween(900, 1100);
    assertThat(relay.connections()).isEqualTo(2000);
    byte[] word = new byte[100];
    for (Socket client : clients) {
      client.getOutputStream().write(word);
    }
    for (Socket client : clients) {
      InputStream in = client.getInputStream();
      assertThat(in.readNBytes(word.length)).hasSize(word.length);
      client.close();
    }
    await().atMost(LIMIT).until(() -> relay.connections() == 0);
    assertThat(portal.accepted()).isEqualTo(2000);
    assertThat(portal.open()).isZero();
  }

  @Test
  void aTakenPortIsNamed() {
    assertThatThrownBy(() -> relay.open(Protocol.TCP, HERE, portal.port(), pool))
        .isInstanceOf(SystemCallException.class)
        .hasMessageContaining("127.0.0.1:" + portal.port())
        .hasMessageContaining("EADDRINUSE");
  }
}
